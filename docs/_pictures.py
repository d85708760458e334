"""Make the pictures of the pages from a real run: `python docs/_pictures.py`. Needs chromium."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
TOWN = DOCS.parent / "examples" / "harbour_town"
PICTURES = {"report": ("", 900), "results": ("results", 880), "details": ("probe-1", 1000)}
"""Name of a picture -> the part of the page that it shows (all for none), and its height."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        check = ["check", str(TOWN), "-s", "bm25", "-s", "minilm", "--limit", "60", "-q"]
        subprocess.run(
            [sys.executable, "-m", "leadline", *check, "--out", str(out / "out")], check=True
        )
        page = (out / "out" / "report.html").read_text("utf-8")
        for name, (part, height) in PICTURES.items():
            alone = f"<style>nav, header, section:not(#{part}) {{display: none}}</style>"
            shown = out / f"{name}.html"
            shown.write_text(page.replace("</head>", f"{alone if part else ''}</head>"), "utf-8")
            subprocess.run(
                [
                    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--window-size=1180,{height}",
                    f"--screenshot={DOCS / 'tutorial' / f'{name}.png'}", shown.as_uri(),
                ],
                check=True, capture_output=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()
