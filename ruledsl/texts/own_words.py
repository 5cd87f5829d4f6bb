"""The language's own words, as labels and in sentences."""

from ruledsl.texts.text import Text

LABELS = {
    "Player": Text("Player", "Spieler"),
    "north": Text("north", "Norden"),
    "north_east": Text("north east", "Nordosten"),
    "east": Text("east", "Osten"),
    "south_east": Text("south east", "Südosten"),
    "south": Text("south", "Süden"),
    "south_west": Text("south west", "Südwesten"),
    "west": Text("west", "Westen"),
    "north_west": Text("north west", "Nordwesten"),
    "none": Text("none", "nichts"),
    "done": Text("done", "fertig"),
    "yes": Text("yes", "ja"),
    "no": Text("no", "nein"),
    "of": Text("of", "von"),
    "with": Text("with", "mit"),
    "empty": Text("empty", "leer"),
    "mirrored": Text("mirrored", "gespiegelt"),
}
"""Words as they stand on the table and in menus."""

IN_SENTENCES = {
    "active": Text("the active player", "aktiver Spieler"),
    "you": Text("the player", "du"),
    "players": Text("number of players", "Spielerzahl"),
    "playing": Text("those still playing", "Mitspieler"),
    "Player": Text("player", "Spieler"),
    "and": Text("and", "und"),
    "or": Text("or", "oder"),
    "not": Text("not", "nicht"),
    "is": Text("is", "ist"),
    "if": Text("if", "wenn"),
    "then": Text("then", "dann"),
    "else": Text("else", "sonst"),
    "where": Text("where", "mit"),
    "have": Text("have", "gilt"),
    "count": Text("count", "Anzahl"),
    "empty": Text("empty", "leer"),
    "all": Text("all", "alle"),
    "any": Text("any", "irgendein"),
    "first": Text("first", "erstes"),
    "next": Text("next", "nächster"),
    "place": Text("place", "Ort"),
    "face": Text("face", "Bild"),
    "others": Text("others", "andere"),
    "seat": Text("seat", "Sitz"),
    "top": Text("top", "oberstes"),
    "lowest": Text("lowest", "unterstes"),
}
"""Words of expressions that are read out; whatever is missing is read as a label."""
