import json

import pytest

from leadline.errors import InputError
from leadline_facts.records import read_facts


@pytest.mark.parametrize(
    "facts",
    ["2", ["2"], [{"kind": "time"}], [{"kind": "a", "value": 1, "spans": [[0, 1e999]]}], 1.5],
)
def test_what_is_no_list_of_facts_is_named_by_its_line(tmp_path, facts):
    path = tmp_path / "facts.jsonl"
    path.write_text(json.dumps({"id": "a", "facts": facts}) + "\n")
    with pytest.raises(InputError, match=r"facts.jsonl:1: not the facts of a document"):
        list(read_facts(path))
