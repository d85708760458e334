"""Files of data sets on the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path

from leadline.errors import InputError, needs


def downloaded(repository: str, name: str, way_out: str) -> Path:
    """Return the local copy of a file of a data set, fetched where there is none.

    way_out  what to do without the hub, for the error

    Raises InputError when it cannot be read, and MissingExtraError without huggingface_hub.
    """
    with needs("hub"):
        from huggingface_hub import hf_hub_download
    try:
        return Path(hf_hub_download(repository, name, repo_type="dataset"))
    except (OSError, ValueError, ImportError) as error:
        raise _unread(f"{name} of {repository}", error, way_out) from error


def downloaded_folder(repository: str, way_out: str) -> Path:
    """Return the local copy of a whole data set. Raises what `downloaded` does."""
    with needs("hub"):
        from huggingface_hub import snapshot_download
    try:
        return Path(snapshot_download(repository, repo_type="dataset"))
    except (OSError, ValueError, ImportError) as error:
        raise _unread(repository, error, way_out) from error


def names_in(repository: str, way_out: str) -> list[str]:
    """Return the names of all files of a data set, sorted. Raises what `downloaded` does."""
    with needs("hub"):
        from huggingface_hub import HfApi
    try:
        return sorted(HfApi().list_repo_files(repository, repo_type="dataset"))
    except (OSError, ValueError, ImportError) as error:
        raise _unread(repository, error, way_out) from error


def _unread(what: str, error: Exception, way_out: str) -> InputError:
    reason = (str(error) or type(error).__name__).strip().splitlines()[0]
    return InputError(
        f"Cannot read {what} from the hub ({reason}). Is there a connection? {way_out}"
    )
