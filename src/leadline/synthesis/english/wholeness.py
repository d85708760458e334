"""Whether part of a sentence can stand by itself: nothing torn, cut short or pointing outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.verbs import is_common_word
from leadline.synthesis.words import DOCUMENT_VERBS, words_of

_OPEN = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
POINTS = words_of("this these those that such")
_ALWAYS_KNOWN = words_of(
    """
    patient author paper article report study book thesis dissertation chapter survey review
    series film movie show documentary story novel
    """
)
_OTHERS = words_of(
    """
    i we you he she it they me us him them this that these those one ones my our your mine ours
    yours himself herself itself themselves myself ourselves who which what whose whom such same
    its his her their
    both later earlier ago other others former latter another respectively said following below
    above hereafter then similar similarly further example today yesterday tomorrow tonight
    """
)
"""Words that point out of the clause, at what its reader cannot see."""
_WHEN_SAID = tuple(
    f" {near} {time}" for near in ("last", "next") for time in ("year", "month", "week", "night")
)
"""Times that only the day of writing tells; "the last 5 years" says how long something took."""
_FROM_WHEN = words_of("after before ago later earlier since")
_VAGUE = words_of(
    """
    whole entire same other latter former above following two three four such present new current
    general first second third last next previous correct exact main only original final recent
    """
)


def ends_well(last: Any) -> bool:
    """Tell whether a clause may end with a word: not with "six eccentric" or "0.25% (Marcaine)"."""
    if last.pos_ == "ADV" and last.i and last.doc[last.i - 1].dep_ == "cc":
        return False
    if last.pos_ == "ADJ" and last.dep_ not in {"acomp", "oprd", "attr", "conj"}:
        return False
    if last.lower_ in {"include", "includes", "included", "including"}:
        return bool(last.dep_ != "ROOT" or last.tag_ == "VBN")
    following = last.doc[last.i + 1] if last.i + 1 < len(last.doc) else None
    if following is None:
        return True
    if following.pos_ in {"NOUN", "PROPN", "ADJ", "NUM", "SYM", "X"}:
        return False
    if last.ent_type_ in {"DATE", "TIME"} and following.lower_ in _FROM_WHEN:
        return False  # "feels better 24 to 48 hours after you start treatment"
    if following.text in {"-", "–", "—", "--", "/", "%", "'", "’", ":"}:
        return False
    if following.text == "." and last.i + 2 < len(last.doc):  # "require 16 hr. to pass"
        return last.doc[last.i + 2].lower_ not in {"to", "of", "and", "or", "for", "at", "by"}
    if following.text == "," and last.i + 2 < len(last.doc) and last.pos_ in {"PROPN", "NUM"}:
        return bool(last.doc[last.i + 2].pos_ not in {"PROPN", "NUM"})  # "Steubenville, Ohio"
    if following.pos_ == "ADP" and last.pos_ == "NUM" and last.ent_type_ != "DATE":
        return False  # "up to about 60 from the stagnation line"
    return following.pos_ != "ADP" or is_known(last)


def is_misread(words: Iterable[Any]) -> bool:
    """Tell whether the parser takes a word for what no dictionary knows it as, or knows too few."""
    from lemminflect import getAllLemmas

    plain = [word for word in words if word.pos_ in _OPEN and word.is_lower and word.is_alpha]
    unknown = 0
    for word in plain:
        readings = set(getAllLemmas(word.lower_))
        if word.lower_.endswith(("ing", "ed")) and "VERB" in readings:
            continue
        if readings and word.pos_ not in readings:
            return True
        unknown += not readings
    return unknown > 1 and 2 * unknown > len(plain)


def is_orphan(token: Any, kept: set[int]) -> bool:
    """Tell whether a small word was kept without what it goes with: "the flow in and is given"."""
    if token.dep_ == "prep":
        objects = [child.i for child in token.children if child.dep_ in {"pobj", "pcomp", "prep"}]
        return bool(objects) and not kept & set(objects)
    if token.dep_ == "cc":
        return not any(child.dep_ == "conj" and child.i in kept for child in token.head.children)
    return False


def is_part_of_name(token: Any, kept: set[int]) -> bool:
    """Tell whether a name goes on behind what was kept of it: Ramona of "Ramona the Pest"."""
    if token.i + 2 >= len(token.doc) or token.i + 1 in kept or not token.text[:1].isupper():
        return False
    one, two = token.nbor(1), token.nbor(2)
    if token.i > token.sent.start and one.is_title and not one.is_sent_start:
        return True  # "The Girl Who Circumnavigated Fairyland"
    return bool(
        (one.is_title and one.pos_ == "PROPN") or (one.lower_ in {"the", "of"} and two.is_title)
    )


def is_numbered_before(first: Any) -> bool:
    """Tell whether a figure that opens a clause belongs to what stands before it.

    It is no count of what follows: "in patient no. 1 exchanges were seen".
    """
    if not first.is_digit:
        return False
    if first.text == "1" and first.dep_ == "nummod" and first.head.tag_ == "NNS":
        return True
    if first.i == first.sent.start and first.i + 1 < len(first.doc) and first.nbor(1).is_title:
        return True  # "3 Hazelnuts have been used", the third of a list
    return first.i > first.sent.start and not first.nbor(-1).is_punct


def is_reporting(verb: Any) -> bool:
    """Tell whether a verb says what a text does with a thing: list, discuss, describe."""
    lemma = lemma_of(verb)
    return bool({f"{lemma}s", f"{lemma}es", f"{lemma[:-1]}ies"} & DOCUMENT_VERBS)


def goes_on(last: Any) -> bool:
    """Tell whether a sentence goes on behind a word without a mark or an "and"."""
    if last.i + 1 >= len(last.doc):
        return False
    following = last.doc[last.i + 1]
    return not (following.is_punct or following.is_space or following.dep_ == "cc")


def is_cut(verb: Any, kept: set[int]) -> bool:
    """Tell whether a statement goes on behind what was kept of it.

    Without a comma or an "and", or with "to": "gets a friend, John, to help".
    """
    last = max(kept)
    if goes_on(verb.doc[last]):
        return True
    return any(
        token.tag_ == "TO" and token.i > last and token.head.head.i in kept
        for token in verb.subtree
    )


def is_known(noun: Any) -> bool:
    """Tell whether a reader knows which one is meant by a noun: not by "the group", "these tests".

    What "the" stands before must have something else that says which, or be what every text of a
    sort has one of.
    """
    determiners = {child.lower_ for child in noun.children if child.dep_ == "det"}
    if determiners & {"that", "those"}:
        return False
    if any(child.dep_ == "poss" and child.lower_ in {"its", "their"} for child in noun.children):
        return False
    known = lemma_of(noun) in _ALWAYS_KNOWN
    if determiners & POINTS:
        return known
    if "the" not in determiners or known or (noun.pos_ == "PROPN" and not _is_office(noun)):
        return True
    return any(
        child.dep_ in {"amod", "compound", "nmod", "prep", "poss", "appos", "nummod"}
        and child.lower_ not in _VAGUE
        for child in noun.children
    )


def _is_office(noun: Any) -> bool:
    """Tell whether a capital makes a name of a common word: "the Government", "the Map"."""
    return bool(noun.is_title and is_common_word(noun))


def is_pointing(words: Iterable[Any]) -> bool:
    """Tell whether a noun has a "the" and nothing that says which: "the source of the effect"."""
    return any(word.pos_ in {"NOUN", "PROPN"} and not is_known(word) for word in words)


def looks_outside(words: Iterable[Any], text: str) -> bool:
    """Tell whether kept words point at what their reader cannot see: "he", "this", "last year"."""
    return any(word.lower_ in _OTHERS for word in words) or any(each in text for each in _WHEN_SAID)


def is_stray_figure(last: Any) -> bool:
    """Tell whether a figure hangs on the noun before it: "no evidence of constriction 3"."""
    if not last.like_num or last.ent_type_ in {"DATE", "TIME"} or last.i == 0:
        return False
    return bool(last.nbor(-1).pos_ == "NOUN")


def is_half_range(words: Sequence[Any]) -> bool:
    """Tell whether a "from" lost its "to": "humorists from Mark Twain"."""
    last = words[-1]
    goes_to = last.i + 1 < len(last.doc) and last.doc[last.i + 1].lower_ in {"to", "through"}
    return goes_to and any(word.lower_ == "from" for word in words)


def is_torn(doc: Any, kept: set[int], top: int, opens: bool = True) -> bool:
    """Tell whether a word was cut in two, or two parts of a list or of a heading run together.

    opens  what was kept opens a statement, and may not stand behind a preposition
    """
    first, last = min(kept), max(kept)
    for place in range(first, last):
        one, other = doc[place], doc[place + 1]
        if one.text in {":", ";"} or other.text in {":", ";"}:
            return True
        if (place in kept) != (place + 1 in kept) and not one.whitespace_:
            held, left = (one, other) if place in kept else (other, one)
            if left.text not in {",", ".", "(", ")"} or held.text in {"-", "–", "/"}:
                return True
        alone = place not in kept and place - 1 in kept and place + 1 in kept
        if alone and one.text in {",", "-", "–", "/", "'", "&"}:
            return True
        if place > top and one.text == "," and place not in kept and last > place:
            return True  # what follows belongs to what was left out
        if other.dep_ == "prep" and place + 1 in kept and place not in kept and place > top:
            return one.pos_ in {"NOUN", "PROPN", "NUM", "VERB"}
        if one.pos_ == "NUM" and other.pos_ == "NUM" and {place, place + 1} <= kept:
            return True
    if any(_is_run_on(doc, gap, top) for gap in _gaps(kept)):
        return True
    before = doc[first - 1] if first > doc[first].sent.start else None
    if opens and first > 1 and doc[first - 1].text == ")" and doc[first - 2].text not in ".!?":
        return True  # "Robert MacKay (born 1956) FRS is"
    tied = before is not None and before.pos_ in {"ADP", "PART", "SCONJ"}
    if opens and tied and doc[first - 1].lower_ != "that":
        return True
    after = doc[last + 1] if last + 1 < len(doc) else None
    if after is not None and not doc[last].whitespace_ and after.text in {"-", "–", "/", "%", "'"}:
        return True
    if first and not doc[first - 1].whitespace_ and doc[first - 1].text in {"-", "–", "/", "$"}:
        return True
    commas = any(doc[place].text == "," for place in kept)
    return commas and not any(doc[place].dep_ == "cc" for place in kept)


def _gaps(kept: set[int]) -> Iterator[range]:
    for one, other in pairwise(sorted(kept)):
        if other > one + 1:
            yield range(one + 1, other)


def _is_run_on(doc: Any, gap: range, top: int) -> bool:
    """Tell whether what was left out opens with a comma or a bracket that is never closed."""
    first, last = doc[gap[0]], doc[gap[-1]]
    opens = first.text in {",", "(", "-", "–", "—", "--", ":", ";", "/"}
    return opens and len(gap) > 1 and gap[-1] < top and not last.is_punct


def is_titled(token: Any) -> bool:
    """Tell whether a verb or a small word has a capital, as in the titles of books."""
    inside = token.i > token.sent.start
    return inside and token.is_title and token.pos_ in {"VERB", "AUX", "ADP", "DET", "CCONJ"}


def after_comma(child: Any, head: Any) -> bool:
    """Tell whether a part of a sentence is set apart from what it belongs to."""
    first = min(each.i for each in child.subtree)
    return head.doc[first - 1].text in {",", "(", "-", "–", ";", ":", "--"} and first - 1 > head.i


def breaks_bracket(tokens: Sequence[Any]) -> bool:
    """Tell whether words of a bracket stand without it: "was planned (September 1993)"."""
    doc, kept = tokens[0].doc, {token.i for token in tokens}
    inside = False
    for token in doc[tokens[0].i : tokens[-1].i + 1]:
        if token.text in {"(", "["}:
            inside = token.i not in kept
        elif token.text in {")", "]"}:
            inside = False
        elif inside and token.i in kept:
            return True
    return False
