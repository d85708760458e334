"""Nobody imports upwards: a module imports from floors below, or from its own room."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "leadline"

TABLE = SOURCE.parent.parent / "CONTRIBUTING.md"


def floors() -> list[list[str]]:
    """Return the rooms of each floor, the lowest first, from the table that people read."""
    rows = re.findall(r"^\| \d.*?\| (.+) \|$", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", row)) for row in rows]


FLOORS = [*floors(), ["__main__"]]
GROUND = FLOORS[0]

MODULES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return parts[0]


def place_of(room: str) -> tuple[int, int]:
    for height, rooms in enumerate(FLOORS):
        if room in rooms:
            return height, rooms.index(room)
    raise AssertionError(f"leadline.{room} stands on no floor: add it to CONTRIBUTING.md")


def imported(path: Path) -> list[ast.Import | ast.ImportFrom]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def modules_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    assert node.level == 0, "relative imports hide what a module needs"
    if node.module == "leadline":
        return [f"leadline.{alias.name}" for alias in node.names]
    return [node.module or ""]


def climbs(path: Path) -> list[str]:
    room = room_of(path)
    if room == "__init__":
        return []
    found = []
    for node in imported(path):
        for module in modules_of(node):
            parts = module.split(".")
            if parts[0] != "leadline" or len(parts) == 1 or parts[1] in (room, "__version__"):
                continue
            if place_of(parts[1]) > place_of(room):
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno} imports {module}")
    return found


def test_no_module_imports_upwards() -> None:
    assert [line for path in MODULES for line in climbs(path)] == []


def test_there_are_few_floors_and_every_room_of_them_exists() -> None:
    assert 5 <= len(floors()) <= 7
    rooms = [room for floor in floors() for room in floor]
    assert sorted(rooms) == sorted({room_of(path) for path in MODULES} - {"__init__", "__main__"})
    assert len([room for room in rooms if (SOURCE / room).is_dir()]) <= 20


def test_a_climb_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = SOURCE / "data" / "imaginary.py"
    monkeypatch.setattr(
        Path, "read_text", lambda self, encoding="": "from leadline.cli import main\n"
    )
    assert climbs(bad) == ["data/imaginary.py:1 imports leadline.cli"]


def test_the_ground_needs_only_the_standard_library_and_yaml() -> None:
    import sys

    allowed = sys.stdlib_module_names | {"leadline", "yaml"}
    for path in MODULES:
        if room_of(path) in GROUND:
            top_level = [
                node
                for node in ast.parse(path.read_text(encoding="utf-8")).body
                if isinstance(node, ast.Import | ast.ImportFrom)
            ]
            for node in top_level:
                for module in modules_of(node):
                    assert module.split(".")[0] in allowed, f"{path.name} imports {module}"


def test_only_kinds_knows_what_a_kind_is_called() -> None:
    names = "|".join(path.stem.replace("_", "-") for path in (SOURCE / "kinds").glob("*.py"))
    asks = re.compile(rf"\bkind\s*(?:==|!=|in\s*[(\[{{])\s*[\"'](?:{names})[\"']")
    asked = [
        f"{path.relative_to(SOURCE)}: {found[0]}"
        for path in MODULES
        if room_of(path) != "kinds"
        for found in [asks.search(path.read_text(encoding="utf-8"))]
        if found
    ]
    assert asked == []
