// The page's own words. What the rules say comes in the language of the table already.

const PHRASES = {
  en: {
    lobby: "Games", start: "Set the table", back: "All games", players: "Players",
    seat: "Seat", variant: "Variant", basic: "the game itself", option: "Options", you: "you",
    human: "a person", random: "computer, at random", greedy: "computer, greedy", easy: "computer, easy",
    medium: "computer, medium", hard: "computer, hard", language: "Language", whoSits: "Who sits where",
    links: "Links to the seats", linksHint: "Send each person their own link: whoever has it plays for that seat.",
    copy: "Copy", copied: "Copied", watch: "To look on", openSeat: "Sit down", log: "What happened", rules: "Rules",
    undo: "Take back", hint: "Hint", whyTitle: "Not allowed", choices: "Your choices", waiting: "{who} decides",
    thinking: "{who} thinks …", over: "The game is over", won: "{who} won", drawn: "A draw", rank: "{rank}. {who}",
    lost: "Connection lost. Trying again …", gone: "This table is not here, or the link is not for a seat of it.",
    broken: "The rules went wrong here: ", "not your turn": "It is not your turn.", "too late": "Somebody was quicker.",
    "no undo": "This can't be taken back: you have learnt something since, or somebody else has decided.",
    "no such option": "There is no such choice.", "bad message": "The server did not understand.", "too fast": "Slowly, please.",
    "no hint": "No hint this time.", "no reason": "Nothing that can be done now is about this.", stepsBack: "Step {at} of {of}",
    replay: "Look back", now: "Back to now", close: "Close", empty: "empty", theme: "Dark or light", search: "Find a choice",
    table: "Table", beside: "Beside the board", pick: "Pick on the table or from the list.", clear: "Start over", forPlayers: "{n} players", oneVariant: "with a variant", moreVariants: "with {n} variants",
    noStart: "This page can't begin: the browser refused to run what it carries.",
    noNetwork: "This page gets Python for browsers from the network when it is opened, and could not. A page made with --offline carries it.",
    allChoices: "All {n}", fewer: "Fewer", "as random": "at random", "as greedy": "greedy", "as easy": "easy", "as medium": "medium", "as hard": "hard",
    hintText: "{move} – you would win {share} % of {games} games.",
    hintFar: "{move} – you would be ahead in {share} % of {games} games, most of them broken off before their end.",
    hintOnly: "There is only {move}.", secretCount: "?",
    playground: "Write your own", editor: "Rules", problems: "What is wrong", none: "Nothing is wrong.", error: "error",
    warning: "warning", line: "line {line}", tryIt: "Play it", example: "Examples", share: "Share", run: "Run the tests",
    simulate: "Play 100 games", checking: "Checking …", loading: "Getting ready …", another: "Another game", your: "Yours",
    yours: "Your turn", picked: "Picked: ", passed: "{n} of {of} tests pass", games: "Games played: {n}",
    wins: "{who} wins {share} %", hamelin: "Hamelin", classics: "Classics", modern: "Newer games", originals: "Our own", send: "Send it to a friend: the link holds the rules.",
    skip: "Skip to the choices",
    aim: "The aim:", progress: "{value} of {goal}", progressIn: "{value} of {goal} {unit}", wonByMany: "{who} won", allLost: "All have lost", together: "Reached together: {keys}",
    limit: "The game has reached its limit of decisions.", payoff: "pay-off", tieBroken: "Tie broken by: {label}",
    spectator: "You look on.", seatLink: "Seat {n}",
  },
  de: {
    lobby: "Spiele", start: "Tisch decken", back: "Alle Spiele", players: "Spieler",
    seat: "Platz", variant: "Variante", basic: "das Spiel selbst", option: "Optionen", you: "du",
    human: "ein Mensch", random: "Computer, zufällig", greedy: "Computer, gierig", easy: "Computer, leicht",
    medium: "Computer, mittel", hard: "Computer, schwer", language: "Sprache", whoSits: "Wer sitzt wo",
    links: "Links zu den Plätzen", linksHint: "Schick jedem seinen eigenen Link: Wer ihn hat, spielt für diesen Platz.",
    copy: "Kopieren", copied: "Kopiert", watch: "Zum Zuschauen", openSeat: "Platz nehmen", log: "Was geschah", rules: "Regeln",
    undo: "Zurücknehmen", hint: "Tipp", whyTitle: "Nicht erlaubt", choices: "Deine Möglichkeiten", waiting: "{who} entscheidet",
    thinking: "{who} denkt nach …", over: "Das Spiel ist aus", won: "{who} gewinnt", drawn: "Unentschieden", rank: "{rank}. {who}",
    lost: "Verbindung verloren. Neuer Versuch …", gone: "Diesen Tisch gibt es nicht, oder der Link gehört zu keinem Platz.",
    broken: "Hier gingen die Regeln schief: ", "not your turn": "Du bist nicht am Zug.", "too late": "Jemand war schneller.",
    "no undo": "Das lässt sich nicht zurücknehmen: Du hast seither etwas erfahren, oder jemand anders hat entschieden.",
    "no such option": "Diese Möglichkeit gibt es nicht.", "bad message": "Der Server hat das nicht verstanden.", "too fast": "Langsam, bitte.",
    "no hint": "Diesmal kein Tipp.", "no reason": "Nichts, was jetzt möglich ist, hat damit zu tun.", stepsBack: "Schritt {at} von {of}",
    replay: "Zurückblicken", now: "Zurück zum Jetzt", close: "Schließen", empty: "leer", theme: "Dunkel oder hell", search: "Möglichkeit suchen",
    table: "Tisch", beside: "Neben dem Brett", pick: "Wähle auf dem Tisch oder aus der Liste.", clear: "Von vorn", forPlayers: "{n} Spieler", oneVariant: "mit einer Variante", moreVariants: "mit {n} Varianten",
    noStart: "Diese Seite kann nicht beginnen: Der Browser führt nicht aus, was sie enthält.",
    noNetwork: "Diese Seite holt Python für Browser beim Öffnen aus dem Netz, und das ging nicht. Eine Seite mit --offline enthält es.",
    allChoices: "Alle {n}", fewer: "Weniger", "as random": "zufällig", "as greedy": "gierig", "as easy": "leicht", "as medium": "mittel", "as hard": "schwer",
    hintText: "{move} – damit gewinnst du {share} % von {games} Spielen.",
    hintFar: "{move} – damit liegst du in {share} % von {games} Spielen vorn, von denen die meisten abgebrochen wurden.",
    hintOnly: "Es gibt nur {move}.", secretCount: "?",
    playground: "Selbst schreiben", editor: "Regeln", problems: "Was nicht stimmt", none: "Alles stimmt.", error: "Fehler",
    warning: "Warnung", line: "Zeile {line}", tryIt: "Spielen", example: "Beispiele", share: "Teilen", run: "Tests ausführen",
    simulate: "100 Spiele spielen", checking: "Wird geprüft …", loading: "Gleich geht es los …", another: "Noch ein Spiel", your: "Deins",
    yours: "Du bist am Zug", picked: "Gewählt: ", passed: "{n} von {of} Tests bestehen", games: "Gespielte Spiele: {n}",
    wins: "{who} gewinnt {share} %", hamelin: "Hameln", classics: "Klassiker", modern: "Neuere Spiele", originals: "Eigene Spiele", send: "Schick es weiter: Der Link enthält die Regeln.",
    skip: "Zu den Möglichkeiten",
    aim: "Das Ziel:", progress: "{value} von {goal}", progressIn: "{unit}: {value} von {goal}", wonByMany: "{who} gewinnen", allLost: "Alle haben verloren", together: "Gemeinsam erreicht: {keys}",
    limit: "Das Spiel hat seine Höchstzahl an Entscheidungen erreicht.", payoff: "Auszahlung", tieBroken: "Bei Gleichstand entscheidend: {label}",
    spectator: "Du siehst zu.", seatLink: "Platz {n}",
  },
};

export const LANGUAGES = { en: "English", de: "Deutsch" };

export function say(language, name, parts) {
  let text = (PHRASES[language] || PHRASES.en)[name] ?? PHRASES.en[name] ?? name;
  for (const [key, value] of Object.entries(parts || {})) text = text.replace(`{${key}}`, value);
  return text;
}

export function usualLanguage() {
  const kept = remembered("language");
  if (kept) return kept;
  return (navigator.language || "en").startsWith("de") ? "de" : "en";
}

// Storage is refused to some pages, files among them: then nothing is remembered.
export function remembered(name) {
  try { return localStorage.getItem(`ruledsl ${name}`); } catch { return null; }
}

export function remember(name, value) {
  try { localStorage.setItem(`ruledsl ${name}`, value); } catch { /* nothing is kept */ }
}
