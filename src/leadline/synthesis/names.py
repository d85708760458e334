"""Names in a sentence: places by a list, others by their capitals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from leadline.synthesis.places import ACRONYM_PLACES, LONGEST_PLACE, PLACES
from leadline.synthesis.values import WORD, Value
from leadline.synthesis.words import MONTHS, PERSON_TITLES, STOP_WORDS, WEEKDAYS, words_of

_NAME = r"[A-Z][a-zà-öø-ÿ]+(?:[-'’][A-Za-zà-öø-ÿ]+)?"
_CAPITALS = re.compile(rf"(?:\b(?:Dr|Mr|Mrs|Ms|Prof)\.\s)?\b{_NAME}(?:\s{_NAME}){{0,4}}(?!\w)")
_ORGANISATIONS = words_of(
    """
    university institute college school library association society hospital clinic council
    company corporation committee department centre center foundation ministry bank laboratory
    museum press agency
    """
)
_ADDED = words_of("city state county times street road avenue post")
_SENTENCE_OPENS = re.compile(r"(?:^|[.!?:\"“(\[•*-])\s*$")
_PREVIOUS = re.compile(r"([^\W\d_]+)\s$")
_NEXT = re.compile(r"\s([a-z]{2,40})\b")
_DOSE = re.compile(r"\s\d{1,6}(?:\.\d{1,4})?[\s-]?(?:mg|mcg|g|gm|ml|cc|units?|puffs?|%)(?!\w)")
_NO_NAMES = frozenset((*MONTHS, *WEEKDAYS, "i", "patient", "doctor", "xyz", "abc"))
_PLACE_WORDS = frozenset(name.split()[0] for name in PLACES)


def find_names(text: str, start: int, end: int, is_name: Callable[[str], bool]) -> Iterator[Value]:
    """Yield the names of text[start:end]: places first, then other capitalised names.

    is_name  whether a word is used as a name: the corpus does not write it in lower case
    """
    taken: list[tuple[int, int]] = []
    for place in _places(text, start, end):
        taken.append((place.start, place.end))
        yield place
    for match in _CAPITALS.finditer(text, start, end):
        if any(a < match.end() and match.start() < b for a, b in taken):
            continue
        if _SENTENCE_OPENS.search(text[max(start, match.start() - 4) : match.start()]):
            continue
        value = _capitalised(text, start, end, match)
        if value is not None and all(is_name(word) for word in WORD.findall(value.text)):
            yield value


def _places(text: str, start: int, end: int) -> Iterator[Value]:
    has_capitals = text[start:end] != text[start:end].lower()
    words = list(WORD.finditer(text, start, end))
    i = 0
    while i < len(words):
        length = _place_length(text, words, i, has_capitals)
        if length:
            first, last = words[i], words[i + length - 1]
            kind = PLACES[" ".join(w.group().lower() for w in words[i : i + length])]
            name = text[first.start() : last.end()]
            if not _is_part_of_name(text, first.start(), last.end(), end, kind):
                key = f"place|{kind}|{name.isupper()}"
                yield Value("name", first.start(), last.end(), name, (key,), name)
        i += max(1, length)


def _place_length(text: str, words: list[re.Match[str]], i: int, has_capitals: bool) -> int:
    if words[i].group().lower() not in _PLACE_WORDS:
        return 0
    for length in range(min(LONGEST_PLACE, len(words) - i), 0, -1):
        group = words[i : i + length]
        written = text[group[0].start() : group[-1].end()]
        if written.lower() not in PLACES:
            continue
        capital = written[0].isupper() or written.isupper()
        acronym = written.lower() in ACRONYM_PLACES
        if has_capitals and (not capital or (acronym and not written.isupper())):
            continue
        return length
    return 0


def _is_part_of_name(text: str, start: int, end: int, stop: int, kind: str) -> bool:
    """Tell whether the place is a piece of a longer name ("Boston University", "new england")."""
    if text[start - 1 : start] in {"-", "/"} or text[end : end + 1] in {"-", "/", "."}:
        return text[end : end + 2] not in {". ", "."} or text[start - 1 : start] in {"-", "/"}
    if kind == "nationality" and re.search(r"\d\s?$", text[max(0, start - 3) : start]):
        return True  # "10 French" is the size of a catheter
    after = re.match(r"\s([^\W\d_]+)", text[end : min(stop, end + 40)])
    before = re.search(r"([^\W\d_]+)\s$", text[max(0, start - 40) : start])
    if after and after[1][0].isupper():
        return True
    if before and before[1][0].isupper() and before[1].lower() not in STOP_WORDS:
        return True
    if before and before[1].lower() in {"new", "royal", "great", "pre", "de"}:
        return True
    # "british library", "leningrad state institute" name one institution: no place will do.
    rest = re.match(r"(?:\s[^\W\d_]+){1,4}", text[end : min(stop, end + 60)])
    following = rest.group().lower().split() if rest else []
    if following and following[0] in _ADDED:
        return True
    return kind != "continent" and any(word in _ORGANISATIONS for word in following)


def _capitalised(text: str, start: int, end: int, match: re.Match[str]) -> Value | None:
    name = match.group()
    words = name.split()
    lowered = [word.lower().rstrip(".") for word in words]
    if any(word in _NO_NAMES or word in STOP_WORDS for word in lowered):
        return None
    if text[match.end() : match.end() + 1] in {"-", "/", "’", "'", "."} and _glued(text, match):
        return None
    if text[match.start() - 1 : match.start()] in {"-", "/", "'", "&"}:
        return None
    keys = _keys(text, start, end, match, lowered)
    return Value("name", match.start(), match.end(), name, keys, name) if keys else None


def _glued(text: str, match: re.Match[str]) -> bool:
    following = text[match.end() + 1 : match.end() + 2]
    return bool(following) and not following.isspace()


def _keys(
    text: str, start: int, end: int, match: re.Match[str], lowered: list[str]
) -> tuple[str, ...]:
    size = len(lowered)
    if lowered[0] in PERSON_TITLES:
        return (f"person|{lowered[0]}|{size}",) if size > 1 else ()
    if lowered[-1] in _ORGANISATIONS and size > 1:
        return (f"organisation|{lowered[-1]}",)
    previous = _PREVIOUS.search(text, max(start, match.start() - 30), match.start())
    before = previous[1].lower() if previous else ""
    if _DOSE.match(text, match.end(), end):
        return (f"dosed|{size}",)
    following = _NEXT.match(text, match.end(), end)
    after = following[1] if following else text[match.end() : match.end() + 1]
    if after in STOP_WORDS or not after[:1].isalpha():
        return (f"between|{before}|{after}|{size}",) if before not in {"", "of"} else ()
    return (f"named|{after}|{size}",)
