"""What has happened, as the log says it."""

from ruledsl.texts.text import Text

MOVED = Text("{what}: {source} → {target}", "{what}: {source} → {target}")
ASSIGNED = Text("{state} is now {value}", "{state} ist jetzt {value}")
ROLLED = Text("rolled: {value}", "gewürfelt: {value}")
ROLLED_SECRETLY = Text("something is rolled secretly", "etwas wird verdeckt ausgelost")
SHUFFLED = Text("{place} is shuffled", "{place} wird gemischt")
SHOWN = Text("{players} may look at {what}", "{players} darf {what} ansehen")
SHOWN_TO_SEVERAL = Text("{players} may look at {what}", "{players} dürfen {what} ansehen")
SHOWN_OPENLY = Text("{what} is shown", "gezeigt wird: {what}")
SHOWN_TO_YOU = Text("you are shown: {what}", "dir wird gezeigt: {what}")
ELIMINATED = Text("{player} is out", "{player} scheidet aus")
WON = Text("{players} won", "{players} gewinnt")
ALL_WON = Text("{players} won", "{players} gewinnen")
DRAWN = Text("a draw", "unentschieden")
LOST = Text("all have lost", "alle haben verloren")
CHOSEN = Text("{player}: {what}", "{player}: {what}")
CHOSEN_SECRETLY = Text("{player} has chosen", "{player} hat gewählt")
SEVERAL = Text("{number} × {kind}", "{number} × {kind}")
