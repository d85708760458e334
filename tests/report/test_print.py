"""The report on paper, at most eight pages, and on a screen: six of them before details."""

import json
import re
from pathlib import Path

import pytest
from browser import Browser
from sample_page import page

from leadline import check
from leadline.report.page import render

TOWN = Path(__file__).resolve().parents[2] / "examples" / "harbour_town"
MOST = 8


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the page of a check with the probes that are built by default, on three systems."""
    out = tmp_path_factory.mktemp("out")
    check(TOWN, ["bm25:b=0.4", "bm25:k1=0.9", "bm25:stopwords=none"], limit=40, out=out)
    return (out / "report.html").read_text(encoding="utf-8")


def pages(browser: Browser, folder: Path, html: str) -> int:
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    return len(re.findall(rb"/Type\s*/Page\b", browser.printed(path.as_uri())))


def test_a_check_prints_on_eight_pages(browser: Browser, tmp_path: Path, checked: str) -> None:
    assert 3 <= pages(browser, tmp_path, checked) <= MOST


FIRST = (
    "document.documentElement.setAttribute('data-found', JSON.stringify(["
    "document.querySelector('main > section').id,"
    "document.querySelector('#run').getBoundingClientRect().top + scrollY,"
    "[...document.querySelectorAll('.case[open]')].length,"
    "[...document.querySelectorAll('#cases .system')].length]))"
)


def test_failing_cases_come_first_and_details_after_six_screens(
    browser: Browser, tmp_path: Path, checked: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(checked, encoding="utf-8")
    html = browser.visit(path.as_uri(), FIRST, width=1440).html
    found = re.search(r'data-found="([^"]*)"', html)
    assert found
    first, details, opened, systems = json.loads(found[1].replace("&quot;", '"'))
    assert (first, opened, systems) == ("cases", 3, 3)
    assert details <= 6 * 900


def test_without_its_rules_for_print_it_would_not(
    browser: Browser, tmp_path: Path, checked: str
) -> None:
    html = checked.replace("@media print", "@media speech")
    assert pages(browser, tmp_path, html) > MOST


def test_many_systems_print_on_eight_pages_and_say_what_is_left_out(
    browser: Browser, tmp_path: Path
) -> None:
    html = render(page(systems=15, cases=5))
    assert "Printed in short" in html
    assert pages(browser, tmp_path, html) <= MOST
    assert "Printed in short" not in render(page(systems=3, cases=5))
