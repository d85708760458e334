"""Is what a sentence names wanted, or refused? Cues of negation, and how far each reaches.

`polarity_table` of the docs gives an example that each row must match and one that it must not.
"""

from __future__ import annotations

import re

_NOT_NEGATIVE = (
    # text that looks negative and asks for what it names
    r"\bnothing (?:but|except|other than|besides|apart from|short of)\b",
    r"\bno(?:ne|body|thing)? other than\b",
    r"\bno (?:\w+ )?(?:but|other than|except)\b",
    r"\bnone but\b",
    r"\bno other\b",
    r"\bnothing else\b",
    r"\bnot(?:hing)? (?:\w+ ){0,3}else\b",
    r"\b(?:than|before|over) anything else\b",
    r"\bnot only\b",
    r"\bno matter\b",
    r"\bno doubt\b",
    r"\bno (?:more|longer|less|fewer|later|earlier) than\b",
    r"\bnot (?:more|longer|less|fewer) than\b",
    r"\bdon['’]?t mind\b",
    r"\bwithout fail\b",
    r"\bwhy not\b",
    r"\bcan['’]?t (?:wait|get enough)\b",
    r"(?:n['’]t|\b(?:not|no|nothing|never))\b[^.;]*?\bunless\b",
    r"\bnot (?:more|shorter|longer) and not\b",
    r"\bnot more\b",
    r"\bnot less\b",
    r"\bnothing more\b",
    r"\bno more and no less\b",
    r"\bnot a word more\b",
    r"\bno objection\b",
    r"\bno problem\b",
    r"\bif not\b",
    r"\b(?:don['’]?t|do not|won['’]?t|will not|never|not) (?:\w+ ){1,4}?(?:anything"
    r"|any \w+|any|\w+)? ?"
    r"(?:but|other than|except)\b(?! for)",
    r"\bdon['’]?t (?:leave|omit|skip|drop|forget)\b",
    r"\bdo not (?:leave|omit|skip|drop|forget)\b",
    r"\bdon['’]?t care (?:what|which|how|about anything)\b",
)

_CUES = (
    r"(?:do|does|did|is|are|was|were|should|must|need|could|would|has|have|had|wo|ca|sha)n['’]?t",
    r"cannot",
    r"not",
    r"no",
    r"never",
    r"nothing",
    r"none",
    r"neither",
    r"nor",
    r"without",
    r"avoid(?:s|ing|ed)?",
    r"exclud(?:e|es|ed|ing)",
    r"skip(?:s|ping|ped)?",
    r"omit(?:s|ting|ted)?",
    r"ignor(?:e|ing|ed)",
    r"drop(?:ping|ped)?",
    r"discard(?:ing|ed)?",
    r"reject(?:ing|ed)?",
    r"disregard(?:ing|ed)?",
    r"eliminat(?:e|ing|ed)",
    r"suppress",
    r"ban(?:ning|ned)?",
    r"bar(?:ring)?",
    r"refrain from",
    r"rul(?:e|es|ing) out",
    r"filter(?:ing)? (?:\w+ )*?out",
    r"weed(?:ing)? out",
    r"screen(?:ing)? out",
    r"leav(?:e|es|ing)(?=[^.;]*\b(?:out|aside|off|behind|alone|for another))",
    r"left out",
    r"keep(?=[^.;]*\b(?:out|away|off my)\b)",
    r"stay(?:ing)? (?:away|clear)",
    r"steer clear",
    r"spare me",
    r"forget(?: about)?",
    r"pass over",
    r"other than",
    r"anything (?:but|except)",
    r"everything (?:but|except)",
    r"all (?:but|except)",
    r"apart from",
    r"aside from",
    r"except(?:ing)?",
    r"excepted",
    r"besides",
    r"instead of",
    r"rather than",
    r"as opposed to",
    r"in place of",
    r"to the exclusion of",
    r"far from",
    r"free (?:of|from)",
    r"minus",
    r"less than enthusiastic",
    r"tired of",
    r"sick of",
    r"fed up with",
    r"bored (?:of|by|with)",
    r"weary of",
    r"allergic to",
    r"(?:enough|my fill) of",
    r"hat(?:e|es|ing)",
    r"dislik(?:e|es|ing)",
    r"loath(?:e|es|ing)?",
    r"detest",
    r"distrust",
    r"mistrust",
    r"wary of",
    r"uninterested",
    r"unwilling",
    r"no longer",
    r"somewhere other",
    r"anywhere (?:but|other)",
    r"more than",
    r"longer than",
    r"shorter than",
    r"beyond",
    r"outside",
    r"different from",
    r"sooner not",
    r"rather not",
    r"do(?:ing)? without",
    r"get lost in",
    r"lost in",
    r"lack(?:s|ing)?",
    r"object to",
    r"refus(?:e|ing)",
    r"elsewhere than",
    r"zero",
    r"I['’]m past",
    r"any \w+ (?:but|except|other than)",
    r"disappointed (?:with|by)",
    r"unhappy with",
    r"already (?:know|have|had|tried|read|seen|use|own|got)",
    r"stop (?:sending|giving|showing)",
    r"lose the",
    r"ditch",
    r"bar none",
    r"opposite of",
    r"不要",
    r"不是",
    r"不用",
    r"别用",
    r"别",
    r"除了",
    r"避免",
    r"排除",
    r"不想",
    r"不需要",
    r"非(?=中|英|专)",
)

_AFTER = (
    # said of what was named before, in the same breath
    r"(?:do|does|did|is|are|was|were|should|must|need|could|would|has|have|had|wo|ca)n['’]?t",
    r"not",
    r"cannot",
    r"no use",
    r"no good",
    r"of no",
    r"no weight",
    r"no interest",
    r"never",
    r"wrong",
    r"useless",
    r"pointless",
    r"irrelevant",
    r"unwelcome",
    r"unwanted",
    r"undesirable",
    r"redundant",
    r"unhelpful",
    r"unsuitable",
    r"off the table",
    r"out of the question",
    r"out of bounds",
    r"(?:is|are) out\b",
    r"off[- ]limits",
    r"excluded",
    r"excepted",
    r"omitted",
    r"avoided",
    r"skipped",
    r"dropped",
    r"ignored",
    r"filtered",
    r"left out",
    r"leave out",
    r"ruled out",
    r"taken out",
    r"kept out",
    r"aside",
    r"apart",
    r"the last thing",
    r"(?:bore|annoy|scare|confuse|irritate|tire)s?",
    r"glaze over",
    r"too (?:short|long|brief|little|much|thin|dry|simple|hard|technical|dense|basic)",
    r"dry\b",
    r"puts? me off",
    r"banned",
    r"forbidden",
    r"unnecessary",
    r"of little",
    r"barred",
    r"over my head",
    r"beyond me",
    r"lose me",
    r"loses me",
    r"won['’]?t do",
    r"fail(?:s)? to",
    r"disappoint\w*",
    r"already",
    r"for another day",
    r"elsewhere",
    r"rules? (?:it|that|them) out",
    r"need not apply",
    r"can go",
    r"(?:has|have) had (?:its|their) day",
    r"rather not",
    r"不行",
    r"不要",
    r"除外",
    r"不需要",
)

_ANAPHOR = re.compile(
    r"\b(?:it|them|those|that|these|such|this|one|ones|him|the lot)\b", re.IGNORECASE
)
_ELSE = re.compile(
    r"\b(?:another|else|elsewhere|different|(?<!each )other|alternative|alternatives|instead|"
    r"shorter|longer|beyond|deeper|simpler)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[;:]|—|–| - |,\s+(?=\w+(?: \w+)? only\b)"
    r"|,\s+(?:so|but|hence|therefore|because|since|as|and|just|only"
    r"|please (?!do|don)|give|"
    r"find|show|use|make|keep|stick|choose|pick|go|which|I['’]?d|I (?:want|need)|let|instead)\b"
    r"|\bbut (?=(?:in|with|rather|please|I|only|just|use|give|show|find|keep|something)\b)"
    r"|，|；",
    re.IGNORECASE,
)
_MASK = re.compile("|".join(_NOT_NEGATIVE), re.IGNORECASE)
_BEFORE_CUE = re.compile(
    "|".join(cue if cue[0] > "\u2fff" else rf"\b(?:{cue})\b" for cue in _CUES), re.IGNORECASE
)
_AFTER_CUE = re.compile(
    "|".join(cue if cue[0] > "\u2fff" else rf"\b(?:{cue})\b" for cue in _AFTER), re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[;:]|—|–| - |,(?=\s)|，|；|(?<=\w)\.(?=\s)")


def masked(sentence: str) -> str:
    """Blot out, letter by letter, what looks negative and is not."""
    return _MASK.sub(lambda match: "#" * len(match.group()), sentence)


def is_refused(
    sentence: str, start: int, end: int, others: tuple[tuple[int, int], ...] = ()
) -> bool:
    """Tell whether what stands at [start, end) of a sentence is refused.

    A cue before it reaches on to where a new clause begins; one after it counts in its own clause
    (`X is no use`), or in the next where a pronoun points back (`X bores me; leave it out`) or
    something else is asked for (`I can't read X, so another language`).

    others  where the sentence names more: a cue before one of them belongs to that
    """
    text = masked(sentence)
    breaks = (each.end() for each in _BREAK.finditer(text))
    begin = max((each for each in breaks if each <= start), default=0)
    if any(cue.start() < start for cue in _BEFORE_CUE.finditer(text, begin)):
        return True
    stop = _clause_end(text, end)
    if _counts(_AFTER_CUE, text, end, stop, others):
        return True
    if stop >= len(text):
        return False
    rest = _clause_end(text, stop + 1, _BREAK) if text[stop] != "," else len(text)
    tail = text[stop:rest]
    cue = _BEFORE_CUE.search(text, stop, rest) or _AFTER_CUE.search(text, stop, rest)
    if cue and _ANAPHOR.search(tail) and not _belongs(cue, rest, others):
        return True
    return bool(_ELSE.search(tail)) and not re.search(r"\b(?:one an|each )other\b", tail)


def _counts(
    cue: re.Pattern[str], text: str, start: int, stop: int, others: tuple[tuple[int, int], ...]
) -> bool:
    return any(not _belongs(match, stop, others) for match in cue.finditer(text, start, stop))


def _belongs(cue: re.Match[str], stop: int, others: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether a cue is part of, or stands before, something else that is named."""
    return any(begin < stop and cue.start() < end for begin, end in others)


def _clause_end(text: str, start: int, pattern: re.Pattern[str] = _CLAUSE_END) -> int:
    found = pattern.search(text, start)
    return found.start() if found else len(text)
