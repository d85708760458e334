"""What other pages call a page in their links."""

from pathlib import Path

from leadline.checking.probes import names_in_links
from leadline.data.documents import read_with_fields
from leadline.kinds.rephrasings.by_rules import build

PAGES = {
    "01-guides/02-moving.md": "# Moving house\n\nA van is hired by the day. It holds two rooms.",
    "01-guides/index.md": "# Guides\n\nSee [hire a van](./02-moving.md#van), "
    "[`van` hire](/guides/moving) and ![a picture](02-moving.md).",
    "news.html": '<title>News</title><p>Read <a href="01-guides/02-moving.md">moving day</a>, '
    '<a class="x" href="https://example.org/moving">elsewhere</a>.</p>',
    "a/twice.md": "# Twice\n\nOne.",
    "b/twice.md": "# Twice too\n\nTwo. [Nobody knows which](/twice) and [myself](twice.md).",
}


def written(folder: Path) -> Path:
    for name, text in PAGES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_relative_links_and_links_from_the_root_lead_to_one_page(tmp_path: Path) -> None:
    assert names_in_links(written(tmp_path), PAGES) == {
        "01-guides/02-moving.md": ["hire a van", "van hire", "moving day"]
    }


def test_a_query_is_what_another_page_calls_a_page(tmp_path: Path) -> None:
    corpus = read_with_fields(written(tmp_path))
    links = names_in_links(tmp_path, corpus)
    made = build(corpus, links=links)
    (query,) = [each for each in made.queries if each.id == "01-guides/02-moving.md"]
    assert query.text in ("hire a van", "van hire", "moving day")
    assert query.facets["span"] == "link"
    (query,) = [each for each in build(corpus).queries if each.id == "01-guides/02-moving.md"]
    assert query.text == "Moving house"
