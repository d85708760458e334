"""Pairs of words of which one excludes the other, and expressions in which they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PAIRS = """
increase decrease | increases decreases | increased decreased | increasing decreasing |
rise fall | higher lower | highest lowest | high low | large small | larger smaller |
largest smallest | upper lower | before after | above below | early late | earlier later |
positive negative | internal external | inner outer | maximum minimum | open closed |
strong weak | stronger weaker | hot cold | laminar turbulent | subsonic supersonic |
compressible incompressible | steady unsteady | theoretical experimental |
theoretically experimentally | linear nonlinear | viscous inviscid |
symmetric asymmetric | symmetrical asymmetrical | advantages disadvantages | young old |
male female | man woman | mother father | brother sister | son daughter | sisters brothers |
benign malignant | acute chronic | mild severe | mildly severely | proximal distal |
proximally distally | medial lateral | medially laterally | anterior posterior |
anteriorly posteriorly | superior inferior | superiorly inferiorly | unilateral bilateral |
gain loss | improve worsen | improves worsens | improved worsened | better worse |
majority minority | always never | often rarely | frequently rarely | rapidly slowly |
rapid slow | success failure | successful unsuccessful | successfully unsuccessfully |
adequate inadequate | sufficient insufficient | possible impossible | effective ineffective |
efficient inefficient | accurate inaccurate | complete incomplete | regular irregular |
stable unstable | normal abnormal | remarkable unremarkable | parallel perpendicular |
horizontal vertical | simple complex | rural urban | undergraduate postgraduate |
full-time part-time | manual automated | manually automatically | accepted rejected |
central peripheral | uniform nonuniform | forward backward | input output | inside outside |
transmitter receiver | summer winter | morning evening | northern southern | eastern western |
developing developed | expensive inexpensive | import export | imports exports |
similar different | agreement disagreement | favorable unfavorable | favourable unfavourable |
satisfactory unsatisfactory | necessary unnecessary | important unimportant |
short long | shorter longer | narrow wide | thick thin | thicker thinner | deep shallow |
light heavy | first last | maternal paternal | inpatient outpatient | tall short |
denies reports | denied reported | tolerated declined | without with |
two-dimensional three-dimensional | one-dimensional three-dimensional | public academic |
left right | primary secondary | visible invisible | known unknown | active inactive |
appropriate inappropriate | dependent independent | formal informal | direct indirect |
directly indirectly | explicit implicit | reversible irreversible | elastic inelastic |
conscious unconscious | comfortable uncomfortable | related unrelated | changed unchanged |
significant insignificant | significantly insignificantly | likely unlikely | useful useless |
responsive unresponsive | attached detached | present absent | elevated depressed |
formerly currently | previously subsequently | permanent temporary | optional compulsory |
voluntary compulsory | commercial non-commercial | professional amateur | widespread limited
"""

OPPOSITES: dict[str, str] = {}
for _pair in _PAIRS.split("|"):
    _one, _other = _pair.split()
    OPPOSITES.setdefault(_one, _other)
    OPPOSITES.setdefault(_other, _one)
del OPPOSITES["with"]
for _one_way in ("rejected", "tolerated", "useless"):
    OPPOSITES.pop(_one_way)

_NOT_BEFORE = {
    # The word is no opposite of its partner when one of these follows.
    "high": "school schools speed pressure quality energy order level frequency temperature",
    "low": "speed pressure back order grade density level frequency temperature",
    "first": "aid time of step place degree order is and two three was part name , . - ;",
    "last": "name few resort",
    "open": "heart the to reading reduction access air and university a an for in by with",
    "closed": "the with and in using by for loop over reduction circuit head",
    "old": "age man year woman",
    "before": "it they the being",
    "public": "health address service services policy information lending sector domain interest "
              "record records private opinion relations and or in or , . life",
    "academic": "year and or , . in public",
    "primary": "care and source sources school schools",
    "secondary": "to and school schools survivals source sources",
    "light": "of the on wave waves touch chain and or is was from source",
    "long": "term as and time beach leg arm island before after been",
    "short": "term of and leg arm story stories title titles time",
    "left": "the in a an at on to without him her for intact behind out over open unchanged alone "
            "by with his this , . ; and is was",
    "right": "away now angle angles to of , . ; and or is was hand-side up at here side-by-side in",
    "without": "any it which them this that him her exception having being changing the a an",
    "related": "to by",
    "known": "as to that for about by in and how",
    "present": "the a an in at with to for and that this some methods results study paper state "
               "day investigation work analysis theory report position time author writer article "
               "status situation",
    "increase": "in the its their and",
    "developed": "by for in to and at from a an on with the as into which using , . that ;",
    "developing": "a an the and its their in new , . on this such from",
    "complete": "the a an with this blood",
    "changed": "to from",
    "reports": "on of and from are in the by were that for , .",
    "denied": "the",
    "improved": "by and the",
    "simple": "as",
    "above": "the and mentioned is are , . noted listed named was findings described procedure",
    "below": "the and knee is are , .",
    "after": "the a this which being an all that it",
    "late": "",
    "direct": "the visualization vision",
    "complex": "of and , . is variable variables",
    "positive": "and",
    "negative": "and",
    "input": "and to of from",
    "output": "and to of from",
    "depressed": "and , . mood",
    "possible": "to that , . and the for ; is with by",
    "likely": "to that",
    "important": "to that",
    "necessary": "to for that , . and ;",
    "fall": "of in",
    "rise": "to",
    "thin": "film films",
    "superior": "to",
    "inferior": "to",
    "deep": "vein venous tendon",
    "wide": "range variety range-",
    "loss": "of consciousness",
    "central": "to",
    "regular": "rate",
    "declined": "to",
    "similar": "to in",
    "different": "from in types kinds ways",
}  # fmt: skip
_NOT_AFTER = {
    "left": "was were be been being is are he she they patient who i then and has had have it him "
            "her having when people",
    "right": "all the-",
    "first": "at the-",
    "last": "at",
    "long": "as how so for no not before",
    "before": "as never not and ever",
    "after": "before look soon and shortly",
    "above": "the as and see",
    "below": "as and see",
    "most": "at",
    "old": "year years months weeks days",
    "high": "too as",
    "possible": "as where if wherever soon",
    "better": "to-",
    "present": "at the to",
    "maximum": "a-",
    "reports": "annual technical research progress the these and of two previous various three "
               "laboratory from other such many interim",
    "fall": "to in the",
    "rise": "give gives gave giving to gives-",
    "open": "to left was",
    "loss": "blood",
    "developed": "was were been has have had be is are being he she and they recently patient who "
                 "which it newly just",
    "closed": "was were then be and is",
    "complete": "to the",
    "direct": "to",
    "denied": "was were",
    "improved": "to",
    "changed": "was were been has have had be not",
    "increase": "to",
    "decrease": "to",
    "without": "or with and",
    "light": "in the into by",
    "close": "to",
    "short": "in too",
    "normal": "to back",
}  # fmt: skip
_BLOCKED_AFTER = {word: frozenset(rest.split()) for word, rest in _NOT_BEFORE.items()}
_BLOCKED_BEFORE = {word: frozenset(rest.split()) for word, rest in _NOT_AFTER.items()}
_ANY = re.compile(
    rf"(?<![\w'’/-])(?:{'|'.join(sorted(OPPOSITES, key=len, reverse=True))})(?![\w'’/-])",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"([\w-]+)\s$")
_AFTER = re.compile(r"\s?([\w-]+|[,.;:-])")


def find_antonyms(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, opposite) of the words of text[start:end] that have a clear opposite.

    A word is passed over when its opposite stands in the sentence as well, when a negation stands
    just before it, and in expressions where the opposite would mean nothing ("first aid").
    """
    sentence = text[start:end].lower()
    for match in _ANY.finditer(text, start, end):
        word = match.group().lower()
        opposite = OPPOSITES[word]
        if re.search(rf"\b{re.escape(opposite)}\b", sentence):
            continue
        before = _BEFORE.search(text, max(start, match.start() - 40), match.start())
        after = _AFTER.match(text, match.end(), end)
        previous = before[1].lower() if before else ""
        following = after[1].lower() if after else "."
        if previous in {"no", "not", "never", "neither", "nor", "without", "too", "as", "least"}:
            continue
        if following in _BLOCKED_AFTER.get(word, ()) or previous in _BLOCKED_BEFORE.get(word, ()):
            continue
        yield match.start(), match.end(), _like(opposite, match.group())


def _like(word: str, written: str) -> str:
    if written.isupper() and len(written) > 1:
        return word.upper()
    return word.capitalize() if written[0].isupper() else word
