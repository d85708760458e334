"""A folder that came as a .zip: unpacked once, into the cache."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from pathlib import Path
from shutil import rmtree
from uuid import uuid4

from leadline.data.cache import cache_folder
from leadline.data.limits import UNPACKED_RATIO, unpacked_limit
from leadline.data.paths import is_file
from leadline.errors import InputError

_MOST_FILES = 2_000_000


def unzipped(path: Path) -> Path:
    """Return the folder in a .zip, unpacked; any other path as it is.

    Where all files lie in one folder, as in the files of BEIR, that folder is meant.
    Raises InputError for a file that is no whole .zip, or that holds far more than its size.
    """
    if path.suffix.lower() != ".zip" or not is_file(path):
        return path
    about = path.stat()
    name = f"{path.resolve()} {about.st_size} {about.st_mtime_ns}"
    unpacked = cache_folder("unzipped") / hashlib.sha256(name.encode()).hexdigest()[:32]
    if not unpacked.exists():
        _unpack(path, unpacked)
    folder = unpacked / path.stem  # what is read is named by its folder
    inside = [each for each in folder.iterdir() if each.name != "__MACOSX"]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _unpack(path: Path, folder: Path) -> None:
    """Unpack beside the folder, and give it its name when it is whole."""
    part = folder.with_name(f".{folder.name}.{uuid4().hex[:8]}.part")
    try:
        with zipfile.ZipFile(path) as packed:
            files = packed.infolist()
            size = sum(each.file_size for each in files)
            if size > unpacked_limit(path.stat().st_size) or len(files) > _MOST_FILES:
                raise InputError(
                    f"{path} unpacks to more than {UNPACKED_RATIO} times its size, as no texts do. "
                    "Unpack it yourself, if you trust it."
                )
            packed.extractall(part / path.stem)  # no path leaves the folder, and no link is made
        part.rename(folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(
            f"{path} is not a .zip that can be unpacked ({error}). Fetch it again, or unpack it."
        ) from error
    except OSError as error:
        if not folder.exists():  # else another process was first
            raise InputError(
                f"Cannot unpack {path} into {folder.parent}: {error.strerror or error}. Set "
                "LEADLINE_CACHE to a folder with space that you may write to."
            ) from error
    finally:
        rmtree(part, ignore_errors=True)
