"""What the tool says at the table, in a terminal."""

from ruledsl.texts.text import Text

# the picture

STACK = Text("{number}, on top {top}", "{number}, oben {top}")
JOINED = Text("Also joined: {places}", "Auch verbunden: {places}")
RING = Text("After {last} comes {first} again.", "Auf {last} folgt wieder {first}.")
EMPTY = Text("empty: {places}", "leer: {places}")
YOU = Text("you", "du")
OUT = Text("out", "ausgeschieden")
YOURS = Text("Your {place}:", "{place} (du):")
CAPITALS = Text("CAPITALS {first}, small {second}", "GROSS {first}, klein {second}")
NUMBERS = Text("number = {names}", "Zahl = {names}")
MANY = Text(
    "{number} fields, such as `{example}`; `list` names them all.",
    "{number} Felder, etwa `{example}`; `liste` nennt alle.",
)
ONE_OF_EACH = Text(
    "one of each, such as `{example}`; `list` has numbers.",
    "je eines, etwa `{example}`; `liste` hat Nummern.",
)
MORE_CHOICES = Text("… `list` has them all", "… `liste` nennt alle")
ELSEWHERE = {
    "others": Text("{thing}: that belongs to {where}.", "{thing}: das gehört {where}."),
    "empty": Text("{thing}: there is nothing.", "{thing}: da ist nichts."),
    "not there": Text("{thing} is not here: {where}.", "{thing} ist nicht hier: {where}."),
    "not offered": Text("{thing} can't be chosen now.", "{thing} steht jetzt nicht zur Wahl."),
}
"""Why a thing that somebody names can't be chosen."""
TRYING = Text("If you chose “{move}”:", "Wenn du „{move}“ wähltest:")
TRYING_OPEN = Text(
    "The rest depends on chance, or on what you can't see.",
    "Das Weitere hängt vom Zufall ab oder von dem, was du nicht siehst.",
)
TRIES = Text(
    "(As far as {number} tries show: something rare may not be among them.)",
    "(Soweit {number} Versuche es zeigen: Seltenes kann darunter fehlen.)",
)
TRIED = Text("Nothing of it has happened.", "Nichts davon ist geschehen.")
TRY_USAGE = Text(
    "`try CHOICE` shows what would follow; in a choice of several, pick first.",
    "`probe WAHL` zeigt, was folgen würde; bei mehreren wähle erst.",
)
SIGNS = {
    "+": Text("can be chosen", "wählbar"),
    "·": Text("empty", "leer"),
    "[ ]": Text("changed just now", "gerade geändert"),
    "*": Text("just changed", "eben geändert"),
    "( )": Text("was seen, is hidden now", "gesehen, jetzt verdeckt"),
    "–": Text("nothing", "nichts"),
    "▶": Text("plays now", "am Zug"),
    "✓": Text("here", "hier"),
}
"""What the signs mean that any table may have."""
WRITTEN = Text("Or as players write it: {examples}.", "Oder wie man es aufschreibt: {examples}.")
PROGRESS = Text("{value} of {goal}", "{value} von {goal}")
AIM_ROW = Text("aim", "Ziel")

# the game

WELCOME = Text("{title}, {number} players", "{title}, {number} Spieler")
SEAT_HUMAN = Text("{player}: you", "{player}: du")
SEAT_PERSON = Text("{player}: a person", "{player}: ein Mensch")
SEAT_COMPUTER = Text("{player}: computer ({word})", "{player}: Computer ({word})")
AIM = Text("The aim: {aim}", "Das Ziel: {aim}")
START = Text(
    "Type a choice, or `help`; `rules` tells how it is played.",
    "Gib eine Wahl ein, oder `hilfe`; `regel` sagt, wie gespielt wird.",
)
HAPPENED = Text("What happened:", "Was geschehen ist:")
MORE_HAPPENED = Text(
    "({number} more in between; `log` shows all)",
    "({number} weitere dazwischen; `verlauf` zeigt alles)",
)
READ_ON = Text("Enter: go on ", "Eingabetaste: weiter ")
TURN = Text("{player}, your turn.", "{player}, du bist dran.")
HAND_OVER = Text("{player}, press Enter ", "{player}, drück die Eingabetaste ")
SEVERAL = Text(
    "Choose {range}, separated by commas, or one by one; `{done}` when finished.",
    "Wähle {range}, mit Kommas getrennt oder nacheinander; `{done}` beendet.",
)
MISSING = Text("{number} more.", "Noch {number}.")
ENOUGH = Text("More, or `{done}`.", "Mehr, oder `{done}`.")
NONE_LEFT = Text("There are not so many of `{text}`.", "So viele gibt es nicht: `{text}`")
TOO_MANY = Text("That is too many: `{text}`", "Das ist zu viel: `{text}`")
EXACTLY = Text("{least}", "{least}")
BETWEEN = Text("{least} to {most}", "{least} bis {most}")
TAKEN = Text("Taken so far: {values}", "Bisher gewählt: {values}")
PROMPT = Text("> ", "> ")

# the end

OVER = Text("The game is over.", "Das Spiel ist zu Ende.")
WINS = Text("{players} wins.", "{players} gewinnt.")
WIN = Text("{players} win.", "{players} gewinnen.")
DRAW = Text("A draw.", "Unentschieden.")
TOGETHER = Text("You have reached together: {keys}.", "Gemeinsam erreicht: {keys}.")
LOST = Text("All have lost.", "Alle haben verloren.")
LIMIT = Text(
    "The game has reached its limit of decisions.",
    "Das Spiel hat seine Höchstzahl an Entscheidungen erreicht.",
)
LEAVE = Text("Press Enter to leave ", "Eingabetaste zum Verlassen ")
RANK = Text("{rank}. {players}", "{rank}. {players}")
REACHED = Text("   {player}: {keys}", "   {player}: {keys}")
RANK_KEYS = Text("{rank}. {players}: {keys}", "{rank}. {players}: {keys}")
KEY = Text("{label} {value}", "{label} {value}")
PAYOFF = Text("pay-off {points}", "Auszahlung {points}")
DECIDING_KEY = Text("{label} {value} (which decides)", "{label} {value} (was entscheidet)")
SEED = Text("seed {seed}", "Startzahl {seed}")

# what is wrong with an entry

UNKNOWN = Text(
    "`{text}` is nothing that can be chosen here. `help` says what can be typed.",
    "`{text}` kann man hier nicht wählen. `hilfe` sagt, was man eingeben kann.",
)
NOT_NOW = Text(
    "“{action}” can be chosen at other times, not now.",
    "„{action}“ steht zu anderer Zeit zur Wahl, nicht jetzt.",
)
NOT_NOW_BUT = Text(
    "“{action}” can be chosen at other times; now it is: {question}",
    "„{action}“ steht zu anderer Zeit zur Wahl; jetzt geht es um: {question}",
)
AMBIGUOUS = Text("`{text}` can mean several choices:", "`{text}` kann mehreres heißen:")
ILLEGAL = Text("{move} is not allowed:", "{move} ist nicht erlaubt:")
NO_CHOICE = Text("It is not among what can be chosen now.", "Das steht jetzt nicht zur Wahl.")
IN_LINE = Text("{where}:", "{where}:")

# commands

WHY_USAGE = Text(
    "`why MOVE` says why a move is not allowed.",
    "`warum ZUG` sagt, warum ein Zug nicht erlaubt ist.",
)
ALLOWED = Text("That is allowed: {move}", "Das ist erlaubt: {move}")
UNDONE = Text("Taken back.", "Zurückgenommen.")
NOTHING_TO_UNDO = Text("You have not chosen anything yet.", "Du hast noch nichts gewählt.")
NO_UNDO = Text(
    "The last choice can't be taken back: something was revealed or rolled since, "
    "or somebody else has decided.",
    "Die letzte Wahl lässt sich nicht zurücknehmen: Seitdem wurde etwas aufgedeckt "
    "oder gewürfelt, oder jemand anderes hat entschieden.",
)
THINKING = Text("Looking ahead …", "Ich schaue voraus …")
THINKS = Text("{player} thinks …", "{player} überlegt …")
SOMEBODY_THINKS = Text("Somebody thinks …", "Jemand überlegt …")
HINT = Text("Perhaps: {move}", "Vielleicht: {move}")
RUNNER_UP = Text("Or: {move}", "Oder: {move}")
CHANCES = Text("Who would win: {shares}", "Es würde gewinnen: {shares}")
SHARE = Text("{player} {percent} %", "{player} {percent} %")
NOBODY = Text("nobody", "niemand")
CUT_CHANCES = Text(
    "Games tried out that were broken off before their end: {percent} %. Who would win, or be "
    "ahead by then: {shares}",
    "Ausprobierte Partien, die vor ihrem Ende abgebrochen wurden: {percent} %. Es würde gewinnen "
    "oder bis dahin vorn liegen: {shares}",
)
FEW_GAMES = Text(
    "(a guess: games tried out: {number})", "(geraten: durchgespielte Partien: {number})"
)
MEAN_PLACE = Text("Your place on average: {number}", "Dein Platz im Mittel: {number}")
MEAN_POINTS = Text("Your result on average: {number}", "Dein Ergebnis im Mittel: {number}")
DECIMAL_POINT = Text(".", ",")
NO_HINT = Text(
    "There is no hint here: looking ahead leads nowhere.",
    "Hier gibt es keinen Tipp: Vorauszuschauen führt zu nichts.",
)
ONLY_ONE = Text("There is only one choice: {move}", "Es gibt nur eine Wahl: {move}")
LOG_EMPTY = Text("Nothing has happened yet.", "Es ist noch nichts geschehen.")
LOG_MORE = Text(
    "({number} lines before; `log all` shows them)",
    "({number} Zeilen davor; `verlauf alles` zeigt sie)",
)
CAN_UNDO = Text("`undo` takes the last choice back.", "`zurück` nimmt die letzte Wahl zurück.")
RULES_PARTS = Text("The rules have these parts: {parts}.", "Die Regeln haben diese Teile: {parts}.")
RULES_USAGE = Text(
    "`rules PART` shows one of them, `rules WORD` the rules about a word; `rules win` tells how "
    "one wins, `rules end` how the game ends.",
    "`regel TEIL` zeigt einen davon, `regel WORT` die Regeln zu einem Wort; `regel sieg` sagt, wie "
    "man gewinnt, `regel ende`, wie das Spiel endet.",
)
NO_RULES = Text("The rules don't speak of `{word}`.", "In den Regeln steht nichts von `{word}`.")
ALSO = Text("See also: {names}", "Siehe auch: {names}")
SAVED = Text("The game is saved in `{file}`.", "Das Spiel ist in `{file}` gespeichert.")
KEPT = Text("The game is kept as `{file}`.", "Das Spiel ist als `{file}` aufgehoben.")
HINT_ENDED = Text("No hint, then.", "Dann kein Tipp.")
SAVED_ALREADY = Text(
    "Every choice is saved in `{file}`.", "Jede Wahl wird in `{file}` gespeichert."
)
SAVE_USAGE = Text(
    "`save FILE` saves the game; from then on every choice is saved at once.",
    "`speichern DATEI` speichert das Spiel, und von da an jede Wahl sofort.",
)
RESUME = Text("Go on with: ruledsl resume {file}", "Weiter geht es mit: ruledsl resume {file}")
LOOK_BACK = Text(
    "Look back on it with: ruledsl history {file}",
    "Noch einmal ansehen: ruledsl history {file}",
)
NOT_SAVED = Text("The game was not saved.", "Das Spiel wurde nicht gespeichert.")
BYE = Text("Goodbye.", "Auf Wiedersehen.")
INPUT_ENDED = Text(
    "The input ended before the game did, after {number} choices.",
    "Die Eingabe war vor dem Spiel zu Ende, nach {number} Entscheidungen.",
)
INPUT_ENDED_AFTER_ONE = Text(
    "The input ended before the game did, after one choice.",
    "Die Eingabe war vor dem Spiel zu Ende, nach einer Entscheidung.",
)
INTERRUPTED = Text("Interrupted.", "Abgebrochen.")
RULES_ERROR = Text(
    "The rules went wrong: {message}", "Mit den Regeln stimmt etwas nicht: {message}"
)
HELP_TITLE = Text("What you can type:", "Was man eingeben kann:")
HELP_CHOICE = Text(
    "a number, or the words of a choice; beginnings of words do: `{example}`",
    "eine Nummer, oder die Worte einer Wahl; Wortanfänge genügen: `{example}`",
)
HELP_WHY = Text(
    "why MOVE      why a move is not allowed", "warum ZUG      warum ein Zug nicht erlaubt ist"
)
HELP_TRY = Text(
    "try MOVE      what would follow from a move", "probe ZUG      was aus einem Zug folgen würde"
)
HELP_UNDO = Text(
    "undo          take the last choice back", "zurück         die letzte Wahl zurücknehmen"
)
HELP_HINT = Text(
    "hint          a suggestion, its chances, and the runner-up",
    "tipp           ein Vorschlag, seine Aussichten, und der zweitbeste",
)
HELP_LOG = Text("log           what has happened so far", "verlauf        was bisher geschehen ist")
HELP_RULES = Text(
    "rules         how it is played; with a word, the rules about it",
    "regel          wie gespielt wird; mit einem Wort, die Regeln dazu",
)
HELP_LOOK = Text(
    "look          show the table again", "zeigen         den Tisch noch einmal zeigen"
)
HELP_LIST = Text(
    "list          every choice with its number", "liste          jede Wahl mit ihrer Nummer"
)
HELP_SAVE = Text("save FILE     save the game", "speichern DATEI  das Spiel speichern")
HELP_QUIT = Text("quit          stop playing", "ende           aufhören")
HELP_HELP = Text("help          this", "hilfe          dies")

HELP = (
    HELP_WHY,
    HELP_TRY,
    HELP_UNDO,
    HELP_HINT,
    HELP_LOG,
    HELP_RULES,
    HELP_LOOK,
    HELP_LIST,
    HELP_SAVE,
    HELP_QUIT,
    HELP_HELP,
)
"""A line for each command."""
