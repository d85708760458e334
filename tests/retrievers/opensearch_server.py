"""A small OpenSearch: the REST calls that Leadline makes, as documented.

A word that a document shares with the query counts 1 / (1 + its place in the text), so that scores
are worked out at a glance; vectors score (1 + cosine) / 2 as there.
"""

import json
import math
from dataclasses import dataclass, field
from typing import Any

from loopback import Call, Reply


@dataclass
class Engine:
    """busy: bulk items that are refused with status 429 before any is taken.

    dies_after: bulk calls after which every call is answered with status 500
    """

    busy: int = 0
    dies_after: int | None = None
    key: str = ""
    indexes: dict[str, dict[str, Any]] = field(default_factory=dict)
    bulks: int = 0

    def answer(self, call: Call) -> Reply:
        if self.key and call.headers.get("authorization") != self.key:
            return Reply({"error": f"unauthorized: {call.headers.get('authorization')}"}, 401)
        if self.dies_after is not None and self.bulks >= self.dies_after:
            return Reply({"error": "dead"}, 500)
        if call.path == "/":
            return Reply({"version": {"number": "9.9.9", "distribution": "opensearch"}})
        if call.path == "/_msearch":
            lines = [json.loads(line) for line in call.body.splitlines()]
            pairs = zip(lines[::2], lines[1::2], strict=True)
            return Reply({"responses": [self._search(head["index"], body) for head, body in pairs]})
        if call.path == "/_bulk":
            return self._bulk(call)
        _, name, *action = call.path.split("/")
        return self._on_index(call, name, "/".join(action))

    def _on_index(self, call: Call, name: str, action: str) -> Reply:
        if (call.method, action) == ("PUT", ""):
            if name in self.indexes:
                return Reply({"error": {"type": "resource_already_exists_exception"}}, 400)
            self._check(call.json)
            self.indexes[name] = {**call.json, "documents": {}}
            return Reply({"acknowledged": True})
        if name not in self.indexes:
            return Reply(b"" if call.method == "HEAD" else {"error": "no such index"}, 404)
        index = self.indexes[name]
        if (call.method, action) == ("HEAD", ""):
            return Reply(b"")
        if (call.method, action) == ("POST", "_refresh"):
            return Reply({})
        if action == "_count":
            return Reply({"count": len(index["documents"])})
        raise AssertionError((call.method, call.path))

    def _check(self, body: Any) -> None:
        vector = body["mappings"]["properties"].get("vector")
        if vector is not None:
            assert (vector["type"], vector["dimension"]) == ("knn_vector", 384)
            assert body["settings"]["index"]["knn"] is True

    def _bulk(self, call: Call) -> Reply:
        assert call.body.endswith(b"\n")
        lines = [json.loads(line) for line in call.body.splitlines()]
        items = []
        for head, source in zip(lines[::2], lines[1::2], strict=True):
            id, status = head["index"]["_id"], 201
            if self.busy:
                self.busy -= 1
                status = 429
            elif source.get("text") == "poison":
                error = {"type": "mapper_parsing_exception", "reason": "cannot read it"}
                items.append({"index": {"_id": id, "status": 400, "error": error}})
                continue
            else:
                self.indexes[head["index"]["_index"]]["documents"][id] = source
            items.append({"index": {"_id": id, "status": status}})
        self.bulks += 1
        return Reply({"errors": any(i["index"]["status"] > 299 for i in items), "items": items})

    def _search(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        if name not in self.indexes:
            return {"error": {"type": "index_not_found_exception", "reason": "no such index"}}
        documents = self.indexes[name]["documents"]
        query = body.get("query", {})
        keep_all = False
        if "bool" in query:
            (only,), (query,) = query["bool"]["filter"], query["bool"]["should"]
            documents, keep_all = _only(documents, only), True
        if "match" in query:
            words = query["match"]["text"]["query"].lower().split()
            scores = {id: _shared(words, each["text"]) for id, each in documents.items()}
        else:
            knn = query["knn"]["vector"]
            if "filter" in knn:
                documents = _only(documents, knn["filter"])
            scores = {id: _cosine(knn["vector"], each["vector"]) for id, each in documents.items()}
        best = sorted(scores.items(), key=lambda pair: -pair[1])
        hits = [{"_id": id, "_score": score} for id, score in best if score or keep_all]
        return {"hits": {"hits": hits[: body["size"]]}, "status": 200}


def _only(documents: dict[str, Any], condition: Any) -> dict[str, Any]:
    return {id: documents[id] for id in condition["ids"]["values"] if id in documents}


def _shared(words: list[str], text: str) -> float:
    places = {word: place for place, word in reversed(list(enumerate(text.lower().split())))}
    return sum(1 / (1 + places[word]) for word in words if word in places)


def _cosine(a: list[float], b: list[float]) -> float:
    product = sum(x * y for x, y in zip(a, b, strict=True))
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    return (1 + product / lengths) / 2
