"""Which words say what a fact is about: its subject, and content words beside the evidence."""

from __future__ import annotations

import re
from bisect import bisect_right

from leadline.kinds.pools import Pools
from leadline.text.sentences import Sentence
from leadline.text.tokens import TOKEN, content_tokens, tokens
from leadline.text.words import FINITE, STOP_WORDS, words_of
from leadline.types import Fact

MOST_WORDS = 3
_COMMON = 0.2
_FEW = 10
_LONGEST_EVIDENCE = 40
_CUES = words_of(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri
    sat sun today tonight yesterday tomorrow now ago later earlier next last previous following
    past coming back first second third start starting started end ended ending begin beginning
    began second seconds minute minutes hour hours day days night nights week weeks weekend month
    months year years fortnight decade morning afternoon evening noon midnight daily weekly monthly
    monday's tuesday's wednesday's thursday's friday's saturday's sunday's
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million billion dozen half quarter twice double triple times percent
    percentage exactly exact precisely roughly about around almost nearly just total sum
    more less fewer cheaper dearer higher lower bigger larger smaller longer shorter older younger
    every each whole own running row consecutive successive
    difference dollars dollar euros euro pounds pound cents pence bucks quid usd eur gbp
    really actually going got get gets getting went gone come coming yes yeah okay well also even
    still already yet then hey hello thanks thank please know think like good great nice sure
    i'm i've i'll i'd it's that's we've we're we'll they've they're you're you've he's she's
    yourself myself himself themselves ourselves
    let let's lot lots thing things something anything said says say tell told made make makes
    """
)
_CONTRACTED = re.compile(r"['’](?:ll|d|m|ve|re|t)$")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def words_about(fact: Fact, text: str, sentences: list[Sentence], pools: Pools) -> tuple[str, ...]:
    """Return two or three words that say what a fact is about; () where there are no two.

    text  that the spans of the fact refer to; `sentences` are its own

    They are the subject and one word, or up to three words where no subject is known. Words stand
    in the line and sentence of the first piece of evidence, those nearest to it
    first; neither numbers nor words that lead to a value ("ago", "Monday", "twice") are among
    them, nor the evidence itself. Words of more than a fifth of all documents, and those of this
    one alone, are left to the end, and a subject that no other document names is left out: else
    the words would find the document without its fact.
    """
    start, end = fact.spans[0]
    left, right = _passage(text, start, end, sentences)
    closed = {
        token
        for span in fact.spans
        if span[1] - span[0] <= _LONGEST_EVIDENCE
        for token in content_tokens(text[slice(*span)])
    }
    subject = _subject(fact.about, text, closed)
    if not all(_is_shared(word, pools) for word in subject):
        subject = ()
    known = {token for word in _WORD.findall(fact.about) for token in tokens(word)}
    most = pools.documents * _COMMON
    found: dict[str, tuple[bool, int, int, str]] = {}
    for match in _WORD.finditer(text, left, right):
        word = match.group().casefold()
        if word in known or word in found or not _tells(word, closed):
            continue
        distance = max(start - match.end(), match.start() - end, 0)
        alone = not _is_shared(word, pools)
        common = pools.documents >= _FEW and pools.frequency[word] > most
        found[word] = (alone or common, distance, match.start(), match.group())
    nearest = sorted(found.values())[: 1 if subject else MOST_WORDS]
    words = [_uncapitalised(each[3], pools) for each in sorted(nearest, key=lambda each: each[2])]
    chosen = (*subject, *words)
    return chosen if words and len(chosen) >= 2 else ()


def _passage(text: str, start: int, end: int, sentences: list[Sentence]) -> tuple[int, int]:
    """Return the sentence around the evidence, within its line unless that says too little."""
    place = bisect_right(sentences, start, key=lambda sentence: sentence.start) - 1
    if place < 0:
        return start, end
    left, right = sentences[place].start, max(end, sentences[place].end)
    line_left = max(left, text.rfind("\n", 0, start) + 1)
    break_after = text.find("\n", end)
    line_right = right if break_after < 0 else min(right, break_after)
    words = [w for w in content_tokens(text[line_left:line_right]) if _tells(w, set())]
    return (line_left, line_right) if len(words) > MOST_WORDS else (left, right)


def _subject(about: str, text: str, closed: set[str]) -> tuple[str, ...]:
    """Return at most two words of a subject that the text holds: its names, where it has any."""
    words = [
        word for word in _WORD.findall(about) if word in text and _tells(word.casefold(), closed)
    ]
    names = [word for word in words if word[0].isupper()]
    return tuple(dict.fromkeys(names or words))[: MOST_WORDS - 1]


def _is_shared(word: str, pools: Pools) -> bool:
    held = min((pools.frequency[token] for token in tokens(word)), default=0)
    return pools.documents < _FEW or held > 1


def _tells(word: str, closed: set[str]) -> bool:
    if len(word) < 3 or word in STOP_WORDS or word in FINITE or word in _CUES:
        return False
    if _CONTRACTED.search(word):
        return False
    parts = TOKEN.findall(word)
    return not any(part in closed or part in _CUES for part in parts)


def _uncapitalised(word: str, pools: Pools) -> str:
    is_title = word[1:].islower() and word[0].isupper()
    return word.lower() if is_title and not pools.is_name(word) else word
