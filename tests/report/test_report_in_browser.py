"""The report in a real browser: what a parser of our own could be wrong about."""

from __future__ import annotations

import ast
import base64
import dataclasses
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
from sample_page import entry, page, result

from leadline.report.page import Page, render

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --hide-scrollbars"
)
MARK = "<script>document.documentElement.setAttribute('data-broken', 'yes')</script>"
ATTACK = (
    f"{MARK}</p></details></style></title>{MARK}"
    "<img src=x onerror=\"document.documentElement.setAttribute('data-broken','yes')\">"
    "<svg onload=\"document.documentElement.setAttribute('data-broken','yes')\">\u202e"
)
WITHOUT_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.fixture
def opened(tmp_path: Path):
    """Return what opens a page in the browser and gives the document it became."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        pytest.skip(f"no browser here: none of {', '.join(BROWSERS)} is installed")

    def open_page(html: str, width: int = 1280) -> str:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        profile = tmp_path / "profile"
        command = [browser, *FLAGS.split(), f"--user-data-dir={profile}"]
        command += [f"--window-size={width},900", "--dump-dom", path.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if "<html" not in done.stdout:
            pytest.skip(f"{browser} gave no page: {done.stderr.strip()[-200:]}")
        return done.stdout

    return open_page


def test_a_script_in_a_corpus_does_not_run(opened) -> None:
    assert "data-broken=" not in opened(render(page(ATTACK)))


def test_escaping_alone_keeps_a_script_from_running(opened) -> None:
    html, removed = WITHOUT_POLICY.subn("", render(page(ATTACK)))
    assert removed == 1
    assert "data-broken=" not in opened(html)


def test_without_policy_and_escaping_the_script_would_have_run(opened) -> None:
    html = WITHOUT_POLICY.sub("", render(page())).replace("</main>", f"{MARK}</main>")
    assert 'data-broken="yes"' in opened(html)


def test_the_policy_alone_keeps_a_script_from_running(opened) -> None:
    assert "data-broken=" not in opened(render(page()).replace("</main>", f"{MARK}</main>"))


@pytest.mark.parametrize("text", ["plain words", "a" * 5_000, ATTACK], ids=["plain", "long", "x"])
def test_nothing_scrolls_sideways_on_a_phone(opened, text: str) -> None:
    measure = (
        "<script>document.querySelectorAll('details').forEach(each => each.open = true);"
        "document.documentElement.setAttribute('data-widths',"
        "document.documentElement.scrollWidth + ' ' + innerWidth)</script></body>"
    )
    html = WITHOUT_POLICY.sub("", render(page(text, systems=9)))
    document = opened(html.replace("</body>", measure), width=390)
    found = re.search(r'data-widths="(\d+) (\d+)"', document)
    assert found
    assert int(found[1]) <= int(found[2])


def test_eight_metrics_of_two_probes_fit_a_window_of_1200_pixels(opened) -> None:
    probes = {
        "conditions": ("Noticed[unseen=missed]", "Unseen", "WinRate", "Adjacent", "FlipRate"),
        "rephrasings": ("RBO@5", "nDCG@10", "MRR@10"),
    }
    results = [
        result(system, {metric: entry(0.5) for metric in metrics}, probe)
        for system in ("bm25", "bm25+by_condition")
        for probe, metrics in probes.items()
    ]
    whole = page()
    steps = (
        "const around = document.querySelector('.overview').parentElement;"
        "document.documentElement.setAttribute('data-widths',"
        "around.scrollWidth + ' ' + around.clientWidth)"
    )
    document = opened(driven(render(dataclasses.replace(whole, results=results)), steps), 1200)
    found = re.search(r'data-widths="(\d+) (\d+)"', document)
    assert found and document.count('<th role="columnheader" scope="col"') >= 9
    assert int(found[1]) <= int(found[2])


def driven(html: str, steps: str) -> str:
    """Return the page with steps that run after its own script, and no policy to forbid them."""
    return WITHOUT_POLICY.sub("", html).replace("</body>", f"<script>{steps}</script></body>")


def test_the_script_of_the_page_runs_under_its_policy(opened) -> None:
    document = opened(render(page(cases=2)))
    assert "4 of 4 cases" in document  # two systems with two cases each
    assert document.count(">CSV</button>") == len(re.findall("<table", document))


def test_cases_are_filtered_by_system_and_by_words(opened) -> None:
    steps = (
        "const [probe, system] = document.querySelectorAll('.filters select');"
        "system.value = system.options[1].value; system.dispatchEvent(new Event('input'));"
    )
    assert "2 of 4 cases" in opened(driven(render(page(cases=2)), steps))
    steps = (
        "const words = document.querySelector('.filters input');"
        "words.value = 'nothing-like-it'; words.dispatchEvent(new Event('input'));"
    )
    assert "0 of 4 cases" in opened(driven(render(page(cases=2)), steps))


def test_a_case_is_copied_as_json_where_the_clipboard_is_closed(opened) -> None:
    steps = (
        "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
        "document.querySelector('.case .tool').click();"
        "const found = JSON.parse(document.querySelector('textarea').value);"
        "document.documentElement.setAttribute('data-found', found.system + '|' + "
        "found.documents.length);"
    )
    assert 'data-found="system 0 plain words|2"' in opened(driven(render(page()), steps))


def test_a_case_is_copied_as_a_test_that_python_reads(opened) -> None:
    steps = (
        "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
        "document.querySelectorAll('.case .tool')[1].click();"
        "document.documentElement.setAttribute('data-found', "
        "btoa(encodeURIComponent(document.querySelector('textarea').value)));"
    )
    for text in ("plain words", ATTACK):
        found = re.search(r'data-found="([^"]+)"', opened(driven(render(page(text)), steps)))
        assert found
        code = unquote(base64.b64decode(found[1]).decode())
        assert "your fixture" in code
        (made,) = ast.parse(code).body
        assert isinstance(made, ast.FunctionDef) and len(made.body) == 3


def test_cases_are_filtered_by_what_they_were_made_of(opened) -> None:
    steps = (
        "const slice = [...document.querySelectorAll('.filters label')]"
        ".find(each => each.textContent.startsWith('Slice')).querySelector('select');"
        "document.documentElement.setAttribute('data-found', [...slice.options].length);"
    )
    found = re.search(r'data-found="(\d+)"', opened(driven(render(page(cases=2)), steps)))
    assert found and int(found[1]) > 1


CHOOSING = (
    "const choose = (name, value) => {"
    "const select = [...document.querySelectorAll('.filters label')]"
    ".find(each => each.textContent.startsWith(name)).querySelector('select');"
    "select.value = value; select.dispatchEvent(new Event('input'));};"
)
TELLING = (
    "document.documentElement.setAttribute('data-found', "
    "[...document.querySelectorAll('.case')].filter(each => each.checkVisibility())"
    ".map(each => each.querySelector('summary').textContent.trim()).join('|'));"
)


def told(document: str) -> list[str]:
    found = re.search(r'data-found="([^"]*)"', document)
    assert found
    return found[1].split("|")


def test_cases_are_filtered_by_cause(opened) -> None:
    html = render(page(cases=2))
    found = told(opened(driven(html, f"{CHOOSING}choose('Cause', 'plain words');{TELLING}")))
    assert found == ["plain words 1", "plain words 1"]
    found = told(opened(driven(html, f"{CHOOSING}choose('Cause', 'none found');{TELLING}")))
    assert found == ["plain words 0", "plain words 0"]


@pytest.mark.parametrize("order", ["worst first", "largest drop in rank"])
def test_cases_are_ordered_over_systems_and_put_back(opened, order: str) -> None:
    html = render(page(cases=3))
    one, other = ("system 0 plain words", "system 1 plain words")
    on = "on conditions plain words: plain words"
    steps = f"{CHOOSING}choose('Order', '{order}');{TELLING}"
    wanted = [f"{system} {on} {n}" for n in (2, 1, 0) for system in (one, other)]
    assert told(opened(driven(html, steps))) == wanted
    steps = f"{CHOOSING}choose('Order', '{order}');choose('Order', '');{TELLING}"
    assert told(opened(driven(html, steps))) == [f"plain words {n}" for n in (0, 1, 2)] * 2


ROWS = (
    "document.documentElement.setAttribute('data-found', "
    "[...document.querySelectorAll('.overview tbody tr')].map(each => each.cells[0].textContent"
    ".trim()).join('|') + '|' + [...document.querySelectorAll('.overview [aria-sort]')]"
    ".map(each => each.getAttribute('aria-sort')).join('|'));"
)


def overview() -> str:
    means = {"bm25": 0.05, "a10": -0.2, "a9": 0.4}
    results = [result(name, {"WinRate": entry(mean)}) for name, mean in means.items()]
    results.append(result("none", {"FlipRate": entry(0.3)}))
    return render(Page("T", "2026-11-23", "0", "leadline check", results))


@pytest.mark.parametrize(
    ("presses", "names", "sorts"),
    [
        ("", "bm25 a10 a9 none", "none none none"),
        ("0", "a9 a10 bm25 none", "ascending none none"),
        ("1", "a9 bm25 a10 none", "none descending none"),
        ("11", "a10 bm25 a9 none", "none ascending none"),
        ("12", "none bm25 a10 a9", "none none ascending"),  # FlipRate: lower is better
    ],
)
def test_a_table_is_sorted_by_its_heads_and_says_so(
    opened, presses: str, names: str, sorts: str
) -> None:
    steps = "const heads = [...document.querySelectorAll('.overview .sort')];"
    steps += "".join(f"heads[{at}].click();" for at in presses)
    assert told(opened(driven(overview(), steps + ROWS))) == [*names.split(), *sorts.split()]


def test_on_a_phone_a_choice_sorts_where_heads_are_not_shown(opened) -> None:
    steps = (
        "const select = document.querySelector('.phone select');"
        "select.value = '1'; select.dispatchEvent(new Event('input'));"
    )
    for width, shown in ((390, "true"), (1280, "false")):
        seen = f"document.body.dataset.shown = select.checkVisibility();{ROWS}"
        document = opened(driven(overview(), steps + seen), width=width)
        assert told(document)[:4] == ["a9", "bm25", "a10", "none"]
        assert f'data-shown="{shown}"' in document


def test_hostile_text_stays_text_in_what_the_script_makes(opened) -> None:
    steps = (
        "document.querySelectorAll('.case .tool').forEach(each => each.click());"
        "const [probe] = document.querySelectorAll('.filters select');"
        "probe.value = probe.options[1].value; probe.dispatchEvent(new Event('input'));"
    )
    assert "data-broken=" not in opened(driven(render(page(ATTACK, cases=2)), steps))
