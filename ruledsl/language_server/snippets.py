"""Beginnings of declarations and statements, with places to fill in.

The places are written as editors want them: `${1:name}`.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Snippet:
    about: str
    body: str


HEADERS = {
    "game": Snippet(
        "a new game",
        'game ${1:name} "${2:Title}"\n    players ${3:2..4}\n\n'
        "step play\n    repeat\n        ${0:skip}\n",
    ),
    "variant": Snippet("a variant of a game", 'variant ${1:name} of ${2:game} "${3:Title}"\n'),
    "library": Snippet("declarations for several games", 'library ${1:name} "${2:Title}"\n'),
}

DECLARATIONS = {
    "type": Snippet("a list of values", "type ${1:Suit} = ${2:clubs, spades}"),
    "piece": Snippet("pieces that are all alike", "piece ${1:Stone} ${2:12} in ${3:box}"),
    "piece table": Snippet(
        "pieces with faces",
        "piece ${1:Card} in ${2:deck} | ${3:count} | ${4:value}\n    ${5:one} | ${6:4} | ${7:1}",
    ),
    "place": Snippet("a place for pieces", "place ${1:box} of ${2:Stone}"),
    "place per player": Snippet(
        "a place for each player", "place ${1:hand} per Player of ${2:Card} private"
    ),
    "board": Snippet(
        "a grid of places", "place ${1:Cell} grid ${2:8} by ${3:8} of ${4:Stone} room 1"
    ),
    "deck": Snippet("a stack that nobody sees", "place ${1:deck} of ${2:Card} stack hidden"),
    "state": Snippet("a value that changes", "state Player.${1:score}: ${2:0..100} = 0"),
    "option": Snippet(
        "chosen before the game", 'option ${1:goal} in ${2:3..5} = ${3:4} "${4:Title}"'
    ),
    "define": Snippet("a name for a value", "define ${1:name}(${2:p}: ${3:Player}) = ${0:0}"),
    "step": Snippet("something that is done", "step ${1:turn}\n    ${0:skip}"),
    "action": Snippet(
        "something a player may do",
        'action ${1:take}(${2:n} in ${3:1..3}) "${4:Title}"\n'
        '    require ${5:n <= count(box)}    "${6:Why not.}"\n    ${0:skip}',
    ),
    "trigger": Snippet(
        "what happens by itself", "trigger ${1:name}\n    when ${2:yes}\n    ${0:end game}"
    ),
    "ranking": Snippet("who is first", "ranking ${1:p} in ${2:Player}\n    highest ${3:p.score}"),
    "language": Snippet("texts for players", 'language ${1:de}\n    ${2:name} "${3:Name}"'),
    "test": Snippet(
        "a test of the rules",
        'test "${1:what is tested}"\n    players ${2:2}\n    when ${3:play}\n        ${4:skip}\n'
        "    then\n        ${0:finished}",
    ),
}

STATEMENTS = {
    "choose action": Snippet("offer actions", 'choose "${1:What do you do?}"\n    ${0:action}'),
    "choose value": Snippet("let somebody pick", 'choose ${1:x} in ${2:S} "${3:Which one?}"'),
    "for each": Snippet("one after the other", "for ${1:p} in ${2:playing}\n    ${0:skip}"),
    "if else": Snippet("one or the other", "if ${1:condition}\n    ${2:skip}\nelse\n    ${0:skip}"),
}
