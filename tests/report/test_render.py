import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise

from sample_page import entry, page, result

from leadline.report.page import Page, render
from leadline.report.shapes import Case, Listed, Passage
from leadline.report.templates import resource

HOSTILE = (
    "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"
    "</title></style></textarea><a href='javascript:alert(1)'>x</a> \" ' onclick=x "
    "{{ 7 * 7 }} {% raw %} &lt;b&gt; <!-- ]]> \u202etxet\u2066 \x00\x08 \ud800"
)

ELEMENTS = """
    html head meta title style body a header p h1 h2 h3 h4 h5 time nav ol ul li main section div
    pre code dl dt dd article span b details summary table caption thead tbody tr th td figure
    figcaption svg path polygon polyline text desc g mark bdi footer script
"""
ATTRIBUTES = """
    lang charset http-equiv content name href class id datetime tabindex role scope rowspan
    colspan data-label data-probe data-system viewbox width height d x y dy text-anchor points
    transform stroke-dasharray focusable dir open aria-label aria-labelledby aria-hidden
    data-badness data-drop data-cause rel
"""


class Reader(HTMLParser):
    """Collects what a parser finds in the page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.tags if attribute in attrs]


def test_hostile_text_adds_no_element_no_attribute_and_no_script() -> None:
    html = render(page(HOSTILE))
    assert html.encode()
    assert re.findall(r"<script>(.*?)</script>", html, re.DOTALL) == [resource("report.js")]
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", html)
    found = Reader(html)
    assert {tag for tag, _ in found.tags} <= set(ELEMENTS.split())
    assert {name for _, attrs in found.tags for name in attrs} <= set(ATTRIBUTES.split())


def test_hostile_text_is_shown_as_it_is() -> None:
    text = "".join(Reader(render(page(HOSTILE))).text)
    assert "<script>document.title='broken'</script>" in text
    assert "{{ 7 * 7 }}" in text
    assert "⟨U+202E⟩txet⟨U+2066⟩ ␀␈ \ufffd" in text


def test_two_lists_stand_side_by_side_with_what_moved() -> None:
    lists = {
        "Before": (Listed("a", "<i>A</i>", "stays"), Listed("b", "B", "gone")),
        "After": (Listed("a", "<i>A</i>", "stays"), Listed("c", "C", "new")),
    }
    same = Passage("a", "the same text")
    case = Case("s", "rephrasings", "h", "q", same, same, rankings=lists)
    html = render(Page("T", "2026-11-20", "0", "leadline check", [], cases=[case]))
    assert html.count("&lt;i&gt;A&lt;/i&gt;") == 2
    assert re.findall('class="moved">([a-z]+)<', html) == ["gone", "new"]
    assert "the same text" not in html  # no document beside itself


def test_links_have_a_target_in_the_page_or_are_files_of_the_corpus() -> None:
    found = Reader(render(page(HOSTILE)))
    targets = {f"#{value}" for value in found.values("id")}
    hrefs = set(found.values("href"))
    assert hrefs & targets
    assert hrefs - targets == {"../notes/a%20note.txt"}  # the hostile one is no link


def test_ids_are_unique_and_labels_point_to_them() -> None:
    found = Reader(render(page(systems=9, cases=2)))
    ids = found.values("id")
    assert len(ids) == len(set(ids))
    for label in found.values("aria-labelledby"):
        assert set(label.split()) <= set(ids)


def test_the_page_forbids_every_script_but_its_own_and_every_request() -> None:
    html = render(page())
    (policy,) = [a["content"] for t, a in Reader(html).tags if a.get("http-equiv")]
    assert policy is not None
    digest = base64.b64encode(hashlib.sha256(resource("report.js").encode()).digest()).decode()
    allowed = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    assert policy.startswith(f"default-src 'none'; {allowed}")
    assert "url(" not in html
    assert "@import" not in html
    assert "http://" not in html
    assert "https://" not in html


def test_headings_go_down_one_level_at_a_time() -> None:
    levels = [int(tag[1]) for tag, _ in Reader(render(page())).tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    steps = [after - before for before, after in pairwise(levels)]
    assert max(steps) <= 1


def test_every_head_of_a_table_has_a_scope_and_every_figure_has_words() -> None:
    found = Reader(render(page()))
    assert all("scope" in attrs for tag, attrs in found.tags if tag == "th")
    for tag, attrs in found.tags:
        if tag == "svg":
            assert attrs.get("aria-hidden") == "true" or attrs.get("role") == "img"


def test_a_large_page_stays_under_two_megabytes() -> None:
    # 15 systems on 2 probes, 5 cases each, passages of 20,000 characters.
    metrics = {f"WinRate@{k}": entry(0.5) for k in range(1, 11)}
    metrics |= {f"WinRate[edit={kind}]": entry(0.5) for kind in "abcdef"} | {"WinRate": entry(0.5)}
    names = [f"dense:organisation/model-{n}" for n in range(15)]
    results = [result(n, metrics, probe) for n in names for probe in ("conditions", "second")]
    left = "The <b>first</b> text & its \"many\" words stay 'here' for long. " * 320
    right = 'The second one says that <i>other</i> words & signs are "there" too. ' * 300
    cases = [
        Case(
            each.system, each.benchmark, "It fails.", f"words {number} " * 500,
            Passage("a", left), Passage("b", right),
        )
        for each in results for number in range(5)
    ]  # fmt: skip
    html = render(Page("Large", "2026-11-20", "0", "leadline check", results, cases=cases))
    assert len(html.encode()) < 2_000_000
