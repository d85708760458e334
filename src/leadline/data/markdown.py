"""Reduce a Markdown page to its title, and its text with a blank line between blocks.

The time is linear in the length of a text, whatever its content. Text that is not Markdown stays
unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_MOST_HASHES = 6
_LONGEST_FRONT_MATTER = 200
_CODE_INDENT = 4

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?|$)")
_QUOTED = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_DELIMITERS = re.compile(r"\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?$")
_CELL_END = re.compile(r"(?<!\\)\|")
_REFERENCE = re.compile(r" {0,3}\[[^\[\]]{1,200}\]:[ \t]*\S")
_KEY = re.compile(r"[A-Za-z_][\w -]{0,60}:(?:\s|$)")
_FRONT_TITLE = re.compile(r"title:[ \t]*(.*)", re.IGNORECASE)

_CODE = re.compile(r"(?<!`)(?:``(?!`)([^\n]{1,400}?)(?<!`)``|`([^`\n]{1,400})`)(?!`)")
_LINK = re.compile(
    r"!?\[([^\[\]]{0,600})\](?:\([^()\s]{0,1000}(?:\s[^()]{0,300})?\)|\[[^\[\]]{0,200}\])"
)
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,1000})>")
_TAG = re.compile(
    r"</?(?:a|abbr|b|br|center|code|details|div|em|figure|h[1-6]|hr|i|img|kbd|li|ol|p|picture|pre|"
    r"small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)"
    r"(?:[\s/][^<>]{0,1000})?>",
    re.IGNORECASE,
)
_MARKS = {
    "*": re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{1,400})(?<=[^\s\\])\1(?![\w*])"),
    "_": re.compile(r"(?<![\w\\])(_{1,3})(?=[^\s_])([^_\n]{1,400})(?<=[^\s\\])\1(?!\w)"),
    "~~": re.compile(r"(?<!~)(~~)(?=[^\s~])([^~\n]{1,400})(?<=\S)\1(?!~)"),
}
"""Emphasis around whole words; not 2*3*4, and not snake_case_names."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def title_and_text(text: str) -> tuple[str, str]:
    """Return the heading that a page begins with, else the title in its front matter, and the rest.

    Lines of a paragraph are joined. Marks of headings, lists, quotes, tables, emphasis and code are
    removed, and so are link addresses, comments and front matter. Code keeps its lines, and every
    table row becomes one line.
    """
    given, body = _front_matter(_without_comments(text).lstrip("\ufeff"))
    blocks = list(_blocks(body.lstrip().split("\n")))
    title = given
    if blocks and blocks[0][0]:
        title = blocks.pop(0)[1] or given
    return title, "\n\n".join(block for _, block in blocks if block.strip())


def _front_matter(text: str) -> tuple[str, str]:
    """Return the title in the front matter (between two `---` at the top), and the rest."""
    first, _, rest = text.partition("\n")
    if first.rstrip() != "---" or not _KEY.match(rest):
        return "", text
    title, end = "", 0
    for line in islice(rest.split("\n", _LONGEST_FRONT_MATTER), _LONGEST_FRONT_MATTER):
        end += len(line) + 1
        if line.rstrip() in ("---", "..."):
            return title, rest[end:]
        if named := _FRONT_TITLE.match(line):
            title = named[1].strip().strip("\"'")
    return "", text


def _without_comments(text: str) -> str:
    """Return a text without the comments of HTML and of MDX."""
    for opening, closing in (("<!--", "-->"), ("{/*", "*/}")):
        pieces, place = [], 0
        while (start := text.find(opening, place)) >= 0:
            end = text.find(closing, start + len(opening))
            if end < 0:
                break
            pieces.append(text[place:start])
            place = end + len(closing)
        text = "".join([*pieces, text[place:]])
    return text


def _blocks(lines: list[str]) -> Iterator[tuple[bool, str]]:
    """Yield whether a block is a heading, and its text."""
    held: list[str] = []
    place, in_list = 0, False
    while place < len(lines):
        line = lines[place]
        if line[:1].isalpha() and "|" not in line:  # true of most lines: nothing below applies
            in_list = in_list and bool(held)
            held.append(line)
            place += 1
            continue
        line = line[quoted.end() :] if (quoted := _QUOTED.match(line)) else line
        place += 1
        if fence := _FENCE.match(line):
            yield from _paragraph(held)
            place, code = _fenced(lines, place, fence[1])
            yield False, code
        elif not line.strip() or _REFERENCE.match(line):
            yield from _paragraph(held)
        elif held and _UNDERLINE.match(line):
            yield True, _joined(held)
        elif _RULE.match(line):
            yield from _paragraph(held)
        elif (heading := _heading(line)) is not None:
            yield from _paragraph(held)
            yield True, _seen(heading)
            in_list = False
        elif (item := _ITEM.match(line)) and (in_list or not held or _may_interrupt(item[0])):
            yield from _paragraph(held)
            held.append(line[item.end() :])
            in_list = True
        elif line.lstrip().startswith("|") or _begins_table(line, lines[place : place + 1]):
            yield from _paragraph(held)
            place, table = _table(lines, place - 1)
            yield False, table
        elif not quoted and not held and not in_list and _indent(line) >= _CODE_INDENT:
            place, code = _indented(lines, place - 1)
            yield False, code
        else:
            in_list = in_list and (bool(held) or _indent(line) > 0)
            held.append(line)
    yield from _paragraph(held)


def _paragraph(held: list[str]) -> Iterator[tuple[bool, str]]:
    if held:
        yield False, _joined(held)


def _joined(held: list[str]) -> str:
    """Join the lines of a paragraph, except at explicit line breaks."""
    pieces = []
    for line in held:
        broken = line.endswith(("  ", "\\"))
        pieces.append(line.strip().removesuffix("\\") + ("\n" if broken else " "))
    held.clear()
    return _seen("".join(pieces).strip())


def _may_interrupt(mark: str) -> bool:
    """Return whether a mark can begin a list within a paragraph ("1986." cannot)."""
    return mark.strip()[:-1] in ("", "1") or not mark.strip()[0].isdigit()


def _heading(line: str) -> str | None:
    """Return what stands behind up to six # and a blank; None where it is no heading."""
    line = line.strip()
    title = line.lstrip("#")
    if not 1 <= len(line) - len(title) <= _MOST_HASHES or title[:1] not in ("", " ", "\t"):
        return None
    return title.rstrip(" \t#").strip()


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(" "))


def _fenced(lines: list[str], place: int, fence: str) -> tuple[int, str]:
    """Return the end of the code after a fence, and the code."""
    end = place
    while end < len(lines) and not _closes(lines[end], fence):
        end += 1
    return end + 1, "\n".join(line.rstrip() for line in lines[place:end]).strip("\n")


def _closes(line: str, fence: str) -> bool:
    line = line.strip()
    return len(line) >= len(fence) and not line.strip(fence[0])


def _indented(lines: list[str], place: int) -> tuple[int, str]:
    end = place
    while end < len(lines) and lines[end].strip() and _indent(lines[end]) >= _CODE_INDENT:
        end += 1
    return end, "\n".join(line.strip() for line in lines[place:end])


def _begins_table(line: str, following: list[str]) -> bool:
    return "|" in line and any(_DELIMITERS.match(each.strip()) for each in following)


def _table(lines: list[str], place: int) -> tuple[int, str]:
    end = place
    rows = []
    while end < len(lines) and "|" in lines[end]:
        if not _DELIMITERS.match(lines[end].strip()):
            cells = _CELL_END.split(lines[end].strip().strip("|"))
            rows.append("  ".join(_seen(cell.strip().replace("\\|", "|")) for cell in cells))
        end += 1
    return end, "\n".join(rows)


def _seen(text: str) -> str:
    """Return a text without the marks of links, emphasis and code. Code itself is unchanged."""
    if "`" not in text:
        return _unmarked(text)
    pieces, place = [], 0
    for code in _CODE.finditer(text):
        pieces += [_unmarked(text[place : code.start()]), (code[1] or code[2]).strip()]
        place = code.end()
    return "".join([*pieces, _unmarked(text[place:])])


def _unmarked(text: str) -> str:
    if "](" in text or "][" in text:
        text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))  # twice, for an image in a link
    if "<" in text:
        text = _TAG.sub(lambda tag: " " if tag[0][1:3].lower() == "br" else "", text)
        text = _ADDRESS.sub(r"\1", text)
    for mark, marks in _MARKS.items():
        if mark in text:  # most texts have none, and this check is far faster
            text = marks.sub(r"\2", text)
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
