"""Find statements of a text that a query can ask for: sentences, table rows, fields.

There is no parser. A sentence is used if its form shows that it is complete: its length, its end,
its first word. The word lists are in `statements.yaml`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from leadline.text.sentences import split_sentences
from leadline.text.words import STOP_WORDS, table

FEWEST_WORDS, MOST_WORDS = 6, 25
_FEWEST_IN_ROW = 3
_LONGEST_LINE, _LONGEST_KEY, _LONGEST_HEADING = 200, 32, 60
_CODE = re.compile(
    r"[{};=<>|\\^~\[\]`#$@]|//|\(\)\.|\w\([\w'\"]|https?:|www\.|\.{2,}|\w_\w+_|\w/\w+/|[→←│├└•✓✗❤]|'\s*:|,,|:\w"
)
_CODE_START = re.compile(
    r"\s*(?:(?:import|export|const|let|var|return|function|async|await|def|class|npm|npx|pnpm|yarn|bun"
    r"|pip)\b|//|/?\*|[\W_]*\w+,$)"
)
_END = re.compile(r"[^.\W][.!][\"”’)]*$")
_INNER_STOP = re.compile(r"[a-z)][.!?]\s?[A-Z]|[;:?!]|\s[-–—]{1,3}\s|[—…]|\w-\s\w|\s[,.]")
_GLUED = re.compile(
    r"[a-z)] (?:The|This|These|It|In|If|When|For|A|An|To|You|We|As|There) |^\d+ (?=\d)"
)
"""Two sentences without a stop between them, or the number of an item before a figure."""
_CUT_END = re.compile(r"\b(?:[A-Za-z]|etc|vs|no|inc|e\.g|i\.e|approx)\.$")
_NUMBERED_LINE = re.compile(r"\n\s*\d+(?:\.\d+)+\.?\s")
_NUMBERED = re.compile(r"\(?(?:\d{1,2}|[a-zA-Z])[.)]\s+|[-*•]\s+")
_WORD = re.compile(r"[^\W_](?:[\w’'.,/+-]*[^\W_])?")
_FIELD = re.compile(r"([^\W\d_][\w /-]{1,31}):[ \t]+(\S.*)")
_CELLS = "  "
_LONGEST_PIECE = 600
_WRAPPED = 50
"""Characters of a line so long that its break only wraps a paragraph."""
_INDENT = 9

Shape = Literal["sentence", "row", "field", "record", "piece"]


@dataclass(frozen=True, slots=True)
class Statement:
    """What a document says at text[start:end], and how it reads by itself.

    shape  a whole sentence, a row of a table, a line `key: value`, a field of a record, or a piece
           of text that need not say anything by itself
    key    of a field, else ""
    value  of a field, as it stands at text[start:end]
    """

    start: int
    end: int
    text: str
    shape: Shape = "sentence"
    key: str = ""
    value: str = ""

    @property
    def is_stated(self) -> bool:
        """Whether it is a sentence, and no row of a table or line `key: value`."""
        return self.shape in ("sentence", "record")


def statements_of(text: str) -> Iterator[Statement]:
    """Yield the statements of a text in order; those of a table and its fields come first."""
    if ":" in text or _CELLS in text:
        lines = list(_lines(text))
        # The same label again and again is a list, such as a menu, and no field.
        labels = Counter(each.text.removesuffix(each.value) for each in lines if each.key)
        yield from (
            each for each in lines if not each.key or labels[each.text.removesuffix(each.value)] < 2
        )
    cased = text != text.lower()
    for sentence in split_sentences(text):
        before = text[max(0, sentence.start - _INDENT) : sentence.start].rstrip(" \t")
        skipped = 0 if before and before[-1] != "\n" else _after_headings(sentence.text)
        mark = _NUMBERED.match(sentence.text, skipped)
        skipped = mark.end() if mark else skipped
        if _CELLS in sentence.text[skipped:] and cased:
            continue  # cells of a table, or text set with blanks
        if _NUMBERED_LINE.search(sentence.text, skipped):
            continue  # a table of contents
        said = " ".join(sentence.text[skipped:].split())
        if _stands_alone(said, cased=cased):
            yield Statement(sentence.start + skipped, sentence.end, said)


def _after_headings(sentence: str) -> int:
    """Return where a sentence begins that follows headings: lines of their own without a stop."""
    start = 0
    while (end := sentence.find("\n", start)) >= 0 and end - start < _WRAPPED:
        start = end + 1
    return start


def pieces_of(text: str) -> Iterator[Statement]:
    """Yield all sentences and lines of a text, whether they say something by themselves or not.

    Long ones, and those that look like code, are left out.
    """
    for piece in every_piece(text):
        if len(piece.text) <= _LONGEST_PIECE and not _CODE.search(piece.text):
            yield piece


def every_piece(text: str) -> Iterator[Statement]:
    """Yield every sentence and line of a text.

    A break after a long line only wraps a paragraph, and divides nothing.
    """
    for sentence in split_sentences(text):
        start = place = sentence.start
        for line in sentence.text.split("\n"):
            place += len(line) + 1
            if place <= sentence.end and _wraps(text, place - 1):
                continue
            yield Statement(start, place - 1, text[start : place - 1], "piece")
            start = place


def is_code(text: str) -> bool:
    """Tell whether a line looks like code, or is a single word: it does not end as prose does."""
    if text.rstrip("\"'”’)")[-1:] in {".", "!", "?", ":"}:
        return False
    return bool(_CODE.search(text) or _CODE_START.match(text)) or len(_WORD.findall(text)) < 2


def _wraps(text: str, end: int) -> bool:
    """Tell whether the line that ends there is long, and no row of a table."""
    line = text[max(0, end - _LONGEST_LINE) : end].rpartition("\n")[2]
    return len(line) >= _WRAPPED and _CELLS not in line.strip()


def headings_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each heading of a text starts, and the heading.

    A heading is a short line of its own without a full stop, before a paragraph.
    """
    place = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        start, place = place, place + len(line) + 1
        bare = line.strip()
        if (
            not bare
            or len(bare) > _LONGEST_HEADING
            or not bare[-1].isalnum()
            or not bare[0].isupper()
        ):
            continue
        alone = not number or not lines[number - 1].strip()
        after = next((each.strip() for each in lines[number + 1 : number + 3] if each.strip()), "")
        if (
            alone
            and len(after) > _LONGEST_HEADING
            and not _CODE.search(bare)
            and _CELLS not in bare
            and bare.rpartition(" ")[2].lower() not in STOP_WORDS  # a line that goes on
            and not lines[number + 1].strip()[:1].islower()  # so does this one
        ):
            yield start + len(line) - len(line.lstrip()), bare


def _stands_alone(said: str, *, cased: bool) -> bool:
    words = _WORD.findall(said)
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        return False
    if not cased:
        said = said.replace(" .", ".").replace(" ,", ",")
    elif not (said[0].isupper() or said[0].isdigit()) or said.upper() == said:
        return False
    if not _END.search(said) or _CUT_END.search(said):
        return False
    if _CODE.search(said) or _INNER_STOP.search(said[:-1]) or _GLUED.search(said):
        return False
    if said.count("(") != said.count(")") or said.count("“") != said.count("”"):
        return False
    if said.count('"') % 2:
        return False
    lists = _words()
    return not lists.openings.match(said) and not lists.pointers.search(said)


def _lines(text: str) -> Iterator[Statement]:
    """Yield rows of tables and fields, each with the heading or the header that it stands under."""
    place, heading, above, in_table, on_top = 0, "", "", False, True
    for line in text.split("\n"):
        start, place = place, place + len(line) + 1
        bare = line.strip()
        if not bare:
            in_table = on_top = False
            heading, above = above or heading, ""
            continue
        above = ""
        if len(bare) > _LONGEST_LINE or _CODE.search(bare):
            in_table = in_table and _CELLS in bare
            heading = ""
            continue
        if _CELLS in bare:
            if in_table and (found := _row(line, start)):
                yield found
            in_table = True  # the first row is the header
            continue
        in_table = False
        found = _field(line, start, heading) if on_top or bare[0].isupper() else None
        if found:
            yield found
            continue
        on_top = False
        if bare[-1].isalnum() and len(bare) <= _LONGEST_HEADING:
            above = bare  # a heading, if a blank line follows: else the end of what stands above
        elif len(bare) > _LONGEST_HEADING:
            heading = heading if bare.endswith(".") else ""


def _row(line: str, start: int) -> Statement | None:
    cells = [" ".join(cell.split()) for cell in line.strip().split(_CELLS) if cell.strip()]
    if len(cells) < 2 or len(cells[0].split()) > 6:
        return None
    said = f"{cells[0]}: {'; '.join(cell.rstrip('. ') for cell in cells[1:])}"
    if not _FEWEST_IN_ROW <= len(_WORD.findall(said)) <= MOST_WORDS or _words().pointers.search(
        said
    ):
        return None
    begin = start + len(line) - len(line.lstrip())
    return Statement(begin, begin + len(line.strip()), said, "row")


def _field(line: str, start: int, heading: str) -> Statement | None:
    begin = start + len(line) - len(line.lstrip())
    found = _FIELD.fullmatch(line.strip())
    if found is None or len(found[1]) > _LONGEST_KEY or len(found[2].split()) > 8:
        return None
    if _words().unkeyed.fullmatch(found[1]) or _words().pointers.search(found[2]):
        return None
    said = f"{heading}, {found[1][0].lower()}{found[1][1:]}" if heading else found[1]
    value = found[2].rstrip(".")
    if value[-1] in ",:'\"" or value[0] in "'\"":
        return None
    return Statement(
        begin + found.start(2), begin + found.start(2) + len(value), f"{said}: {value}", "field",
        found[1].casefold(), value,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Words:
    openings: re.Pattern[str]
    pointers: re.Pattern[str]
    unkeyed: re.Pattern[str]


@cache
def _words() -> _Words:
    lists = table("leadline.text", "statements")

    def any_of(name: str) -> str:
        entries = [each.strip() for each in lists[name].split(",")]
        return "|".join(re.escape(each) for each in sorted(entries, key=len, reverse=True))

    return _Words(
        re.compile(rf"(?:{any_of('openings')})\b", re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{any_of('pointers')})(?!\w)", re.IGNORECASE),
        re.compile(rf"(?:{any_of('unkeyed')})(?: \d+)?", re.IGNORECASE),
    )
