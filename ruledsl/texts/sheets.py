"""The headings and lines of a game on a sheet."""

from ruledsl.texts.text import Text

PLAYERS = Text("{number} players", "{number} Spieler")
ONE_PLAYER = Text("1 player", "1 Spieler")
COMPONENTS = Text("Components", "Spielmaterial")
PLACES = Text("Places", "Orte")
VALUES = Text("What is kept track of", "Was festgehalten wird")
SET_UP = Text("Set-up", "Aufbau")
TURN = Text("Course of the game", "Ablauf")
ACTIONS = Text("Actions", "Aktionen")
TRIGGERS = Text("What happens by itself", "Was von selbst geschieht")
END = Text("The end", "Spielende")
AIM = Text("Aim of the game", "Ziel des Spiels")
OPTIONS = Text("Options", "Optionen")
VARIANTS = Text("Variants", "Varianten")
IN_DETAIL = Text("In detail:", "Im Einzelnen:")
OF_EACH = Text("{number} for each {kinds}", "je {number} pro {kinds}")
FOR_EACH = Text("one for each {kinds}", "je einmal pro {kinds}")
STARTS = Text("at first {place}", "anfangs {place}")
WITH = Text("for {numbers} players: {text}", "zu {numbers}: {text}")
GRID = Text("{w} by {h}", "{w} mal {h}")
RING = Text("{n} in a ring", "{n} im Kreis")
LINE = Text("{n} in a row", "{n} in einer Reihe")
NETWORK = Text("{n}, joined by paths", "{n}, durch Wege verbunden")
HEXAGONS = Text("hexagons, {w} by {h}", "Sechsecke, {w} mal {h}")
HEXAGON = Text("{n} hexagons, {side} to a side", "{n} Sechsecke, {side} an jeder Seite")
WRAPPED = Text("its opposite edges join", "gegenüberliegende Ränder hängen zusammen")
EDGES = Text("{n}, between neighbours: {kind}", "{n}, jeweils zwischen Nachbarn: {kind}")
STACK = Text("a stack", "ein Stapel")
ROOM = Text("room for {n}", "Platz für {n}")
HOLDS = Text("for {kinds}", "für {kinds}")
REFILLED = Text("refilled from {place}", "wird aufgefüllt aus {place}")
OPEN = Text("open to all", "offen")
HIDDEN = Text("nobody sees them", "niemand sieht sie")
PRIVATE = Text("only its player sees them", "nur der eigene Spieler sieht sie")
UNCOUNTED = Text("their number is secret, too", "auch ihre Zahl ist geheim")
SEEN_WHEN = Text("seen when {text}", "gesehen, wenn {text}")
STATE_HIDDEN = Text("secret", "geheim")
STATE_PRIVATE = Text("seen by its player only", "nur vom eigenen Spieler gesehen")
EACH = Text("anew at each “{step}”", "neu bei jedem „{step}“")
USUAL = Text("{domain}, usually {default}", "{domain}, üblich {default}")
WHEN = Text("when {text}", "wenn {text}")
AFTER = Text("judged after: {steps}", "geprüft nach: {steps}")
LIMIT = Text("after {n} decisions it is a draw", "nach {n} Entscheidungen ist es unentschieden")
COURSE_OVER = Text(
    "The game ends when its course is over:", "Das Spiel endet, wenn sein Ablauf zu Ende ist:"
)
HIGHEST = Text("the highest value wins: {a}", "der höchste Wert gewinnt: {a}")
LOWEST = Text("the lowest value wins: {a}", "der niedrigste Wert gewinnt: {a}")
HIGHEST_OF_TIED = Text(
    "in case of a tie, the highest value wins: {a}", "bei Gleichstand gewinnt der höchste Wert: {a}"
)
LOWEST_OF_TIED = Text(
    "in case of a tie, the lowest value wins: {a}",
    "bei Gleichstand gewinnt der niedrigste Wert: {a}",
)
DRAW = Text(
    "there is no ranking: somebody wins at once, or it is a draw",
    "es gibt keine Rangfolge: jemand gewinnt sofort, oder unentschieden",
)
TEAM = Text(
    "players share their result who have the same {a}", "das Ergebnis teilt, wer dasselbe hat: {a}"
)
NO_TIE = Text(
    "still a tie for the first place: nobody wins",
    "steht es an der Spitze auch dann noch gleich, gewinnt niemand",
)
DEALT = Text(
    "Then the table looks like this, for example:", "Dann sieht der Tisch zum Beispiel so aus:"
)
EVERYWHERE = Text("{text} each", "je {text}")
NUMBER_OF_PLACES = Text("{n} places", "{n} Orte")
WORDS = Text("Words", "Begriffe")
MEANS = Text("{a} means: {b}", "{a} heißt: {b}")
ASSUMED = Text(
    "Left open by the book, and how it is taken here",
    "Was das Heft offen lässt, und wie es hier gespielt wird",
)
AT_FIRST = Text("{type}, at first {start}", "{type}, anfangs {start}")
FLAG = Text("yes or no", "ja oder nein")
NUMBER = Text("a number", "eine Zahl")
