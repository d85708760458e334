"""Whether a sentence says something by itself: rules for English, as tables with examples."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from leadline.text.tokens import content_tokens

ANAPHOR = re.compile(
    r"(?:it|its|they|their|them|this|these|those|that|he|she|his|her|such|another|both|however|"
    r"but|and|or|so|thus|hence|therefore|also|moreover|furthermore|then|as a result|by contrast|"
    r"in addition|in spite of|despite (?:this|that|these|it)|because of (?:this|that|these)|"
    r"as such|similarly|finally|first|second|consequently|accordingly|nevertheless|"
    r"nonetheless|otherwise|instead|meanwhile|indeed|apparently|additionally|still|yet|further|"
    r"next|later|for (?:example|instance)|in (?:particular|contrast|fact|turn|this|these|each|"
    r"both|all)|on the (?:other|contrary)|at the same|of (?:these|those|the)|neither|none|"
    r"the (?:latter|former|other|same|above))\b",
    re.IGNORECASE,
)
"""What begins a sentence that goes on from another: `Consequently, ...`, not `In Oslo, ...`."""
_POINTER = re.compile(
    r"\b(?:them|they|these|those|this|he|she|it|its|their|his|her|him)\b", re.IGNORECASE
)
_DANGLING = re.compile(
    r"\b(?:this|these|those|i|my|we|our|us|herein|hereafter|aforementioned|aforesaid|respectively|"
    r"for (?:example|instance)|however|therefore|consequently|also|too|"
    r"such an?|(?:the|a) (?:first|second|third|fourth|last|next|latter|former|other|others|same|"
    r"above|following|present|proposed|two|three|four|resulting|corresponding|remaining)|"
    r"(?:as|described|mentioned|discussed|given|shown|noted) (?:above|below|here|earlier)|"
    r"(?:section|chapter|figure|fig|table|appendix|equation|part) (?:\d+|[ivx]+))\b|/",
    re.IGNORECASE,
)
"""What points at other sentences, sections or the writer, wherever it stands in a sentence."""
_OF_THE_TEXT = re.compile(
    r"(?:(?:the|an?) )?(?:[\w'’-]+ ){0,2}(?:results?|papers?|reports?|articles?|authors?|writers?|"
    r"stud(?:y|ies)|findings?|conclusions?|aims?|purposes?|objects?|objectives?|approach(?:es)?|methods?|procedures?|techniques?|principles|"
    r"equations?|examples?|comparisons?|measurements?|calculations?|solutions?|sections?|emphasis|discussion|"
    r"statement|lecture|speech|talk|extracts?|text|account|description|history|review|overview|look|attempt|analysis|investigation|series|dear)\b",
    re.IGNORECASE,
)
"""What begins a sentence about the text itself, or a letter."""
_REPORTING = """
    considered described discussed reviewed presented given outlined examined reported analysed
    analyzed investigated studied derived developed treated obtained shown noted illustrated
    explained listed sought made summarised summarized surveyed circularised calculated computed
    provided introduced conducted performed formulated placed put employed included applied
    tabulated sketched traced covered proposed suggested mentioned emphasised emphasized stressed
    compared determined
"""
_REPORTS = re.compile(
    r"\b(?:is|are|was|were|been|be) (?:\w+ly |also |then |briefly )?"
    rf"(?:{'|'.join(_REPORTING.split())}|set (?:up|out)|carried out)\b",
    re.IGNORECASE,
)
"""Verbs of a sentence that tells what a text does, not what is so: `x is described`."""
_BROKEN_END = re.compile(r"(?:\b\w\s*\.|\betc\.\W*|,\s*\.|[^.!?\"”')\]])\s*$")
"""An end that was cut at an abbreviation, or is none: `as is borne out by e.`"""
_BROKEN_WORD = re.compile(r"\w- \w|\.\.|\w[.!?][A-Z]")
"""A word that a line break had cut (`de- creased`), or two sentences without a space."""
_KNOWN = re.compile(
    r"The (\w+) (?:is|are|was|were|has|have|had|can|could|will|would|must|should|may|does|do|did|"
    r"\w+s|\w+ed)\b"
)
"""A subject that was named before: `the problem`, with nothing added."""


def stands_alone(text: str, topic: Collection[str] = ()) -> bool:
    """Tell whether a sentence says something by itself, and points at nothing before it.

    topic  words of what it answers: `the library` is known where a library was asked for
    """
    if ANAPHOR.match(text) or _POINTER.search(" ".join(text.split()[:5])):
        return False
    if _DANGLING.search(text) or _OF_THE_TEXT.match(text) or _REPORTS.search(text):
        return False
    if _BROKEN_END.search(text) or _BROKEN_WORD.search(text):
        return False
    known = _KNOWN.match(text)
    return known is None or bool(set(content_tokens(known[1])) & set(topic))


def is_whole(sentences: Sequence[str], place: int) -> bool:
    """Tell whether a sentence begins where the one before it ends, and not behind `5 g.` of it."""
    return place == 0 or re.search(r"\b(?:\w|etc)\s*\.\W*$", sentences[place - 1]) is None
