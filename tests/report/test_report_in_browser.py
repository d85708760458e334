"""The report in a real browser: what a parser of our own could be wrong about."""

import ast
import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Browser, Heard
from sample_page import entry, page, result

from leadline.report.page import render
from tables import each_row

MARK = "<script>document.documentElement.setAttribute('data-broken', 'yes')</script>"
ATTACK = (
    f"{MARK}</p></details></style></title>{MARK}"
    "<img src=x onerror=\"document.documentElement.setAttribute('data-broken','yes')\">"
    "<svg onload=\"document.documentElement.setAttribute('data-broken','yes')\">\u202e"
)
WITHOUT_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
Opened = Callable[..., str]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Opened:
    """Return what opens a page, takes steps in it, and gives the document it became."""

    def open_page(html: str, *steps: str, width: int = 1280) -> str:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        heard: Heard = browser.visit(path.as_uri(), *steps, width=width)
        return heard.html

    return open_page


def found(value: str) -> str:
    """Return a step that leaves a value where `told` reads it."""
    return f"document.documentElement.setAttribute('data-found', JSON.stringify({value}))"


def told(document: str) -> object:
    value = re.search(r'data-found="([^"]*)"', document)
    assert value
    return json.loads(value[1].replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">")
                      .replace("&nbsp;", "\u00a0").replace("&amp;", "&"))  # fmt: skip


def test_a_script_in_a_corpus_does_not_run(opened: Opened) -> None:
    html = render(page(ATTACK))
    assert "data-broken=" not in opened(html)
    # Escaping alone, and the policy alone, keep it from running; without both it would.
    bare, removed = WITHOUT_POLICY.subn("", html)
    assert removed == 1
    assert "data-broken=" not in opened(bare)
    assert "data-broken=" not in opened(render(page()).replace("</main>", f"{MARK}</main>"))
    both = WITHOUT_POLICY.sub("", render(page())).replace("</main>", f"{MARK}</main>")
    assert 'data-broken="yes"' in opened(both)


@pytest.mark.parametrize("text", ["plain words", "a" * 5_000, ATTACK], ids=["plain", "long", "x"])
def test_nothing_scrolls_sideways_on_a_phone(opened: Opened, text: str) -> None:
    steps = (
        "document.querySelectorAll('details').forEach(each => each.open = true)",
        found("[document.documentElement.scrollWidth, innerWidth]"),
    )
    whole, window = told(opened(render(page(text, systems=9)), *steps, width=390))
    assert whole <= window


def test_eight_metrics_of_two_probes_fit_a_window_of_1200_pixels(opened: Opened) -> None:
    probes = {
        "conditions": ("Noticed[unseen=missed]", "Unseen", "WinRate", "Adjacent", "FlipRate"),
        "rephrasings": ("RBO@5", "nDCG@10", "MRR@10"),
    }
    reports = [
        result(system, {metric: entry(0.5) for metric in metrics}, probe)
        for system in ("bm25", "bm25+by_condition")
        for probe, metrics in probes.items()
    ]
    around = "document.querySelector('.overview').parentElement"
    step = found(f"[{around}.scrollWidth, {around}.clientWidth]")
    document = opened(render(dataclasses.replace(page(), reports=reports)), step, width=1200)
    assert document.count('<th role="columnheader" scope="col"') >= 9
    whole, window = told(document)
    assert whole <= window


CHOOSE = (
    "window.choose = (name, value) => {"
    "const select = [...document.querySelectorAll('.filters label')]"
    ".find(each => each.textContent.startsWith(name)).querySelector('select');"
    "select.value = value ?? select.options[select.options.length - 1].value;"
    "select.dispatchEvent(new Event('input'));}"
)
SEEN = found(
    "[...document.querySelectorAll('.case')].filter(each => each.checkVisibility())"
    ".map(each => each.querySelector('summary').textContent.trim())"
)


def test_the_script_of_the_page_filters_cases_under_its_policy(opened: Opened) -> None:
    html = render(page(cases=2))
    document = opened(html)
    assert "4 of 4 cases" in document  # two systems with two cases each
    assert document.count(">CSV</button>") == len(re.findall("<table", document))
    assert "2 of 4 cases" in opened(html, CHOOSE, "choose('System', 'system 0 plain words')")
    words = "document.querySelector('.filters input')"
    typed = f"{words}.value = 'nothing-like-it'; {words}.dispatchEvent(new Event('input'))"
    assert "0 of 4 cases" in opened(html, typed)
    for cause, number in (("plain words", 1), ("none found", 0)):
        document = opened(html, CHOOSE, f"choose('Cause', '{cause}')", SEEN)
        assert told(document) == [f"plain words {number}"] * 2


@pytest.mark.parametrize("order", ["worst first", "largest drop in rank"])
def test_cases_are_ordered_over_systems_and_put_back(opened: Opened, order: str) -> None:
    html = render(page(cases=3))
    chosen = (CHOOSE, f"choose('Order', '{order}')")
    wanted = [
        f"system {system} plain words on conditions plain words: plain words {n}"
        for n in (2, 1, 0)
        for system in (0, 1)
    ]
    assert told(opened(html, *chosen, SEEN)) == wanted
    document = opened(html, *chosen, "choose('Order', '')", SEEN)
    assert told(document) == [f"plain words {n}" for n in (0, 1, 2)] * 2


@pytest.mark.parametrize("text", ["plain words", ATTACK], ids=["plain", "hostile"])
def test_a_case_is_copied_as_json_and_as_a_test_that_python_reads(
    opened: Opened, text: str
) -> None:
    closed = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
    for tool in (0, 1):
        click = f"document.querySelectorAll('.case .tool')[{tool}].click()"
        copied = told(
            opened(
                render(page(text)), closed, click, found("document.querySelector('textarea').value")
            )
        )
        if tool == 0:
            assert len(json.loads(copied)["documents"]) == 2
        else:
            assert "your fixture" in copied
            (made,) = ast.parse(copied).body
            assert isinstance(made, ast.FunctionDef) and len(made.body) == 3


ROWS = found(
    "[...document.querySelectorAll('.overview tbody tr')]"
    ".map(each => each.cells[0].textContent.trim())"
    ".concat([...document.querySelectorAll('.overview [aria-sort]')]"
    ".map(each => each.getAttribute('aria-sort')))"
)


def overview() -> str:
    means = {"bm25": 0.05, "a10": -0.2, "a9": 0.4}
    reports = [result(name, {"WinRate": entry(mean)}) for name, mean in means.items()]
    reports.append(result("none", {"FlipRate": entry(0.3)}))
    return render(dataclasses.replace(page(), reports=reports))


@each_row
def test_a_table_is_sorted_by_its_heads_and_says_so(
    opened: Opened, presses: str, names: str, sorts: str
) -> None:
    clicks = [f"document.querySelectorAll('.overview .sort')[{at}].click()" for at in presses]
    assert told(opened(overview(), *clicks, ROWS)) == [*names.split(), *sorts.split()]


def test_on_a_phone_a_choice_sorts_where_heads_are_not_shown(opened: Opened) -> None:
    select = "document.querySelector('.phone select')"
    choose = f"{select}.value = '1'; {select}.dispatchEvent(new Event('input'))"
    for width, shown in ((390, "true"), (1280, "false")):
        seen = f"document.body.dataset.shown = {select}.checkVisibility()"
        document = opened(overview(), choose, seen, ROWS, width=width)
        assert told(document)[:4] == ["a9", "bm25", "a10", "none"]
        assert f'data-shown="{shown}"' in document
