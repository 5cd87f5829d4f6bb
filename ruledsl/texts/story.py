"""What has happened, in sentences for the table."""

from ruledsl.texts.text import Text

CHOSE = Text("{player}: {what}.", "{player}: {what}.")
ANSWERED = Text("{player}: {prompt} {what}.", "{player}: {prompt} {what}.")
MOVED = Text("{what}: {way}.", "{what}: {way}.")
MOVED_ON = Text("{what} move on ({place}).", "{what} rücken weiter ({place}).")
LEFT = Text("{what}: away from {source}.", "{what}: weg von {source}.")
CAME = Text("{what}: to {target}.", "{what}: nach {target}.")
DREW = Text("{player} draws {what}.", "{player} zieht {what}.")
CHANGED = Text("{state}: {before} → {value}.", "{state}: {before} → {value}.")
BECAME = Text("{state}: {value}.", "{state}: {value}.")
OWNER_CHANGED = Text("{owner}: {state} {before} → {value}.", "{owner}: {state} {before} → {value}.")
OWNER_BECAME = Text("{owner}: {state} {value}.", "{owner}: {state} {value}.")
FLAG_ON = Text("{owner}: {state}.", "{owner}: {state}.")
FLAG_OFF = Text("{owner}: no longer {state}.", "{owner}: nicht mehr {state}.")
ROLLED = Text("Rolled: {values}.", "Gewürfelt: {values}.")
BY_LOT = Text("By lot: {values}.", "Ausgelost: {values}.")
ROLLED_SECRETLY = Text("Something is rolled secretly.", "Etwas wird verdeckt ausgelost.")
THE_GAME = Text("The game", "Das Spiel")
BECAUSE = Text("It ended by this: {what}.", "Dadurch endete es: {what}.")
OUT = Text("out", "ausgeschieden")
NOT_RANKED = Text("not ranked", "außer Wertung")
