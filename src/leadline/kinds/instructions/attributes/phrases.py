"""Words that a document must or must not hold: read from a query, and found in a text."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from leadline.kinds.instructions.attributes.text import has_dense_script, words_of

_QUOTED = re.compile(
    r"[\"“”«»「『]([^\"“”«»「」『』]{2,60})[\"“”«»」』]|(?<!\w)['‘]([^'’]{3,60})['’](?!\w)"
)
_HOLD = (
    r"mention\w*|contain\w*|includ\w+|featur\w+|discuss(?:es|ed|ing)?|cover(?:s|ed|ing)?|explain\w*|"
    r"involv\w+|propos\w+|suggest\w*|describ\w+|recommend\w*|reference[sd]?|cit(?:e|es|ing)|"
    r"talk\w* (?:\w+ )?(?:about|of)|speak\w* of|spoken of|refer(?:s|red|ring)? to"
    r"|bring\w* up|brought up|"
    r"touch\w* on|deal\w* with|rely\w* on|rel(?:y|ies|ying) on|call\w* for"
    r"|use[sd]? the (?:word|term|"
    r"phrase|expression)|using|with the (?:word|term|phrase|expression)|(?:word|term|phrase|"
    r"expression|keyword)s?|nam(?:e|es|ing)|focus\w* on|specifically about|centre[sd]? on|"
    r"cent(?:er|re)(?:s|ed|ing)? on|based on|to do with|revolv\w+ around|say(?:s"
    r"|ing)? (?:something|anything) (?:about|on)|(?:texts?|anything|something|pages?"
    r"|results?|answers?|pieces?|articles?|"
    r"documents?|ones?|material|advice|passages?) (?:about|on|with|around|concerning|regarding)"
)
_HELD = (
    r"(?:be )?(?:mention|includ|discuss|cover|explain|feature|describ|referr|nam|bring|brought)\w*|"
    r"come up|comes up|appear|appears|occur|occurs|be part of|be in|be there|turn up"
    r"|play a (?:part|role)|"
    r"figure|show up|crop up|get a mention|be present|stand"
)
_FRAME = re.compile(rf"\b(?:{_HOLD})\b", re.IGNORECASE)
_PASSIVE = re.compile(
    rf"\b(?:should|must|mustn['’]t|has to|have to|needs? to|ought to|may|can|shall|is|are|to)"
    rf"(?:n['’]t)?(?: not| never| nowhere| also)* (?:{_HELD})\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:提到|包含|包括|含有|出现|涉及|讨论|谈到|关于)[“\"「]?([\u4e00-\u9fff]{2,12}?)[”\"」]?"
    r"(?:的|这个词|一词|[，。]|$)"
)
_FILLING_WORDS = """
after it's what's
a an the this that these those and or of in on at to for with by from about into as is are was
were be been being do does did done has have had having can could will would shall should may
might must ought i i'd i'm i've i'll me my mine we we've our us you your it its they them their
he she his her who whose which what when where why how there here if so but because since while
not no nor never none nothing without only just also even ever very much more most any some all
every each either neither other others another else one ones something anything everything
someone somebody please kindly thanks thank want wanted need needs needed like liked prefer
preferably rather sooner look looking find finding found show shows showing shown give given get
gets got getting let make makes sure see seen read reading know known tell told say says said
send go going come take taken keep keeps kept stick limit restrict restricted focus pick choose
return return result results answer answers document documents page pages text texts passage
passages source sources piece pieces article articles reply replies response responses
suggestion suggestions advice idea ideas tip tips option options method methods explanation
explanations recipe recipes guidance information info material stuff thing things way ways word
words phrase phrases term terms expression name named naming keyword keywords mention mentions
mentioned mentioning contain contains contained containing include includes included including
involve involves involving feature features featuring discuss discussed discussing cover covers
covering refer refers referring bring brings bringing talk talks talking speak speaks use uses
using used rely relies propose proposes suggesting exclude excluding excluded skip omit avoid
avoided leave out aside drop ignore filter rule rules ruled off up down over again already yet
still somewhere anywhere elsewhere specifically particular relevant interested interest fine
okay ok good great best appear appears part involved called such kind sort type same than then
too both few many solution solutions remedy remedies don't doesn't isn't aren't won't can't
mustn't shouldn't wouldn't haven't hasn't didn't steer clear subject topic matter based
regarding concerning tried covered heard bores scares hate love enough fill point question
itself anyone cite cites cited citing
"""
_FILLING = frozenset(_FILLING_WORDS.split())
"""Words that belong to the asking, never to what is asked for."""
_REACH = 25
"""Characters between `mention` and what is to be mentioned."""

_TOKEN = re.compile(r"[^\W_](?:[\w'’\-+#./]*[\w+#])?|[^\w\s]")


def asked_phrases(sentence: str) -> list[str]:
    """Return what a sentence may ask to be held, best guess first; none where it names no words.

    Quoted words first; then those behind `mention`, `contain`, `talk about` or before `should
    appear`; then every run of words that does not belong to the asking.
    """
    quoted = [first or second for first, second in _QUOTED.findall(sentence)]
    if quoted:
        return [phrase.strip(" .,;") for phrase in quoted]
    chinese = _CHINESE.findall(sentence)
    if chinese:
        return list(chinese)
    runs = _runs(sentence)
    frames = [match.end() for match in _FRAME.finditer(sentence)]
    passive = [match.start() for match in _PASSIVE.finditer(sentence)]

    def far(run: tuple[int, int]) -> int:
        start, end = run
        behind = [start - frame for frame in frames if frame <= start]
        before = [place - end for place in passive if end <= place]
        return min([*behind, *before], default=10_000)

    return [sentence[start:end] for start, end in sorted(runs, key=far)]


def names_words(sentence: str) -> bool:
    """Tell whether a sentence says outright which words must (not) be held."""
    if _QUOTED.search(sentence) or _CHINESE.search(sentence):
        return True
    starts = [start for start, _ in _runs(sentence)]
    behind = any(
        0 <= start - frame.end() <= _REACH
        for frame in _FRAME.finditer(sentence)
        for start in starts
    )
    return behind or _PASSIVE.search(sentence) is not None


def shorter_phrases(phrase: str) -> list[str]:
    """Return a phrase and the runs of words in it, longest first, those at its end before others.

    >>> shorter_phrases("virtual card number option")[:3]
    ['virtual card number option', 'card number option', 'virtual card number']
    """
    words = phrase.split()
    runs = [
        " ".join(words[start : start + size])
        for size in range(len(words), 0, -1)
        for start in range(len(words) - size, -1, -1)
    ]
    return [run for run in runs if run.lower() not in _FILLING and len(run) > 2]


def holds(text: str, phrase: str) -> bool:
    """Tell whether a text holds a phrase: whole words, any case, singular for plural.

    >>> holds("Two paper bags.", "paper bag"), holds("newspaper bag", "paper bag")
    (True, False)
    """
    return _finder(phrase).search(text) is not None


def key_terms(text: str, most: int = 8) -> list[str]:
    """Return the words that a text repeats, most often first; names count twice."""
    words = [word for word in words_of(text) if len(word) > 3 and word.lower() not in _FILLING]
    counts: Counter[str] = Counter()
    for word in words:
        counts[word.lower()] += 2 if word[0].isupper() else 1
    return [word for word, count in counts.most_common(most) if count > 1]


@lru_cache(maxsize=4096)
def _finder(phrase: str) -> re.Pattern[str]:
    if has_dense_script(phrase):
        return re.compile(r"\s*".join(re.escape(each) for each in phrase if not each.isspace()))
    parts = [re.escape(_stem(word)) + r"(?:e?s|['’]s?|ies|y)?" for word in phrase.split()]
    between = r"[\s\-]+".join(parts)
    return re.compile(rf"(?<!\w){between}(?!\w)", re.IGNORECASE)


def _stem(word: str) -> str:
    """Take off the ending of a plural."""
    if len(word) > 4 and word.lower().endswith("ies"):
        return word[:-3]
    if (
        len(word) > 3
        and word.lower().endswith("s")
        and not word.lower().endswith(("ss", "us", "is"))
    ):
        return word[:-1]
    if len(word) > 4 and word.lower().endswith("y") and word[-2].lower() not in "aeiou":
        return word[:-1]
    return word


def _runs(sentence: str) -> list[tuple[int, int]]:
    """Find the longest runs of words that are not part of the asking."""
    runs: list[tuple[int, int]] = []
    start = end = -1
    for match in _TOKEN.finditer(sentence):
        word = match.group().lower().replace("’", "'")
        stops = not word[0].isalnum() or word in _FILLING
        joins = (
            start >= 0 and word in ("of", "the", "before", "da", "de") and match.start() == end + 1
        )
        if stops and not joins:
            if start >= 0:
                runs.append((start, end))
            start = -1
        elif not stops:
            start, end = (match.start() if start < 0 else start), match.end()
    if start >= 0:
        runs.append((start, end))
    return runs
