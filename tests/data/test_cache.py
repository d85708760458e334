import os

import pytest

from leadline.data.cache import cache_folder
from leadline.errors import InputError


@pytest.fixture(autouse=True)
def _no_folder_set(monkeypatch, tmp_path):
    monkeypatch.delenv("LEADLINE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def test_the_own_variable_comes_first(monkeypatch, tmp_path):
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder("indexes") == tmp_path / "own" / "indexes"
    assert (tmp_path / "own" / "indexes").is_dir()


def test_the_common_cache_comes_second(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder("indexes") == tmp_path / "xdg" / "leadline" / "indexes"


def test_the_home_folder_comes_last(tmp_path):
    assert cache_folder("indexes") == tmp_path / "home" / ".cache" / "leadline" / "indexes"


def test_a_cache_that_cannot_be_made_names_the_way_out(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match=r"Cannot create the cache folder .* Set LEADLINE_CACHE"):
        cache_folder("indexes")


@pytest.mark.parametrize("kind", ["", "indexes"])
def test_a_cache_that_any_user_can_write_to_is_refused(monkeypatch, tmp_path, kind):
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "own"))
    (cache_folder("indexes").parent / kind).chmod(0o777)
    with pytest.raises(InputError, match=r"any user can write to it.*chmod go-w"):
        cache_folder("indexes")


def test_a_cache_that_only_its_own_group_can_write_to_is_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "own"))
    cache_folder("indexes").chmod(0o775)  # as where the umask is 002, and each user is a group
    assert cache_folder("indexes").is_dir()


def test_a_cache_that_belongs_to_another_user_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path / "own"))
    os.chown(cache_folder("indexes"), 4242, -1) if os.geteuid() == 0 else None
    monkeypatch.setattr(os, "geteuid", lambda: 4243)  # who runs this, whether root or not
    with pytest.raises(InputError, match="belongs to another user"):
        cache_folder("indexes")
