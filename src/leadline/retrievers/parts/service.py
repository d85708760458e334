"""The YAML description of a search service: its address, requests and answers."""

from __future__ import annotations

import json
import math
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, ClassVar
from urllib.parse import parse_qsl, quote, quote_plus, urljoin, urlsplit

from leadline.data.addresses import shown_address
from leadline.errors import InputError, ServiceError, unknown
from leadline.retrievers.parts.http import Request, Service, checked_url

ASKED = ("query", "k", "offset", "vector")
"""Fields of a search."""
GIVEN = ("id", "uuid", "title", "text", "content", "vector")
"""Fields of a document that a service is given, or that it is to remove."""
VARIABLE = re.compile(r"\$\{(\w+)\}")
SHOWN = re.compile(r"\$?\{\w+\}")

_FIELD = re.compile(rf"(?<!\$)\{{({'|'.join(sorted({*ASKED, *GIVEN}))})\}}")
_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|auth|signature|credential")
_MASKED = "***"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Where things stand in an answer: dotted paths, with numbers for places in a list.

    hits             the list of hits, best first; empty when the answer is that list; with a `?`
                     at its end the last key may be missing, which is an answer without hits
    id               in a hit: the document's id in the corpus; empty to find it by its text
    score            in a hit; None for `score` when there is one, empty when there are only ranks
    text             in a hit: the document's text; needed only when there is no id
    lower_is_better  the score is a distance
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    hits: str = "hits"
    id: str = "id"
    score: str | None = None
    text: str = ""
    lower_is_better: bool = False


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call of a service, see `Description` and `Writing`."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    url: str
    method: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | list[Any] | str | None = None

    def fields(self, names: Sequence[str]) -> set[str]:
        """Return those of the named fields that stand anywhere in the call."""
        return fields_of([self.url, self.headers, self.body], names)


@dataclass(frozen=True, kw_only=True)
class Writing(Call):
    """A call that gives a scratch index documents, or removes them.

    In `url`, `headers` and `body`, `{id}` stands for the id under which the service is to keep a
    document, `{uuid}` for the same in the form of a UUID, `{title}` and `{text}` for its parts,
    `{content}` for both, and `{vector}` for the vector that the `encoder` of the service gives it.
    A call takes one document, or several where `$each: TEMPLATE` stands in the body.

    url         may start at the address of the search: `_bulk`, `/documents/{id}`
    method      POST by default when there is a body, else DELETE
    headers     beside those of a search, which are sent too
    batch_size  most documents in a call, where `$each` stands somewhere
    errors      path in an answer: what stands there, unless it is empty, 0 or false, says that
                documents were refused
    """

    batch_size: int = 100
    errors: str = ""

    @property
    def each(self) -> list[Any]:
        """What stands under `$each`, wherever it is."""
        found: list[Any] = []
        walk(self.body, lambda value: found.append(value.get("$each")) or value)  # type: ignore[func-returns-value]
        return [each for each in found if each is not None]


@dataclass(frozen=True, kw_only=True)
class Description(Call):
    """A search service.

    In `url`, `headers` and `body`, `{query}` stands for the text of the query, `{k}` for the
    number of documents wanted, `{offset}` for those that were had before, `{vector}` for the
    vector that `encoder` gives the query, and `${NAME}` for an environment variable.

    method           POST by default when there is a body, else GET
    body             a mapping that is sent as JSON, or a text
    page_size        most documents asked for at once, where `{offset}` stands somewhere
    encoder          a system of the catalog, a name on the hub or a folder
    timeout          seconds for one answer
    concurrency      calls at the same time
    retries          calls after the first when it failed in a way that may pass
    backoff          seconds before the first retry, doubled for every further one
    candidate_depth  documents searched to find the scores of given candidates
    scratch          the index is empty, and is given every document of a corpus for the time of
                     a test
    ingest, remove   how a scratch index is given documents, and rid of them
    wait             seconds until a search finds what was given
    """

    answer: Answer = field(default_factory=Answer)
    page_size: int = 100
    encoder: str = ""
    timeout: float = 30.0
    concurrency: int = 4
    retries: int = 4
    backoff: float = 0.5
    candidate_depth: int = 1000
    ingest: Writing | None = None
    remove: Writing | None = None
    wait: float = 30.0
    scratch: bool = False

    @property
    def shown(self) -> dict[str, Any]:
        """What a report tells: names of headers without values, nothing that may be a secret."""
        return {
            "url": shown_address(self.url),
            "method": self.method,
            "headers": sorted(self.headers),
            "body": walk(self.body, text=_masked, number=lambda _: _MASKED),
            "answer": {name: value for name, value in vars(self.answer).items() if value},
            **({"page_size": self.page_size} if "offset" in self.fields(ASKED) else {}),
            **({"encoder": self.encoder} if self.encoder else {}),
            **({"takes": "every document"} if self.scratch else {}),
        }


def read(content: Any, where: str) -> Description:
    """Return the description that a mapping holds, with what its template adds.

    where  the file, for messages
    """
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(content, Mapping):
        raise InputError(
            f"{where}: the description of a search service must be a mapping with `url`. See "
            "docs/how-to/connect-an-engine.md."
        )
    own = dict(content)
    template = own.pop("template", None)
    if template is not None:
        base = _template(template, where)
        for name in ("answer", "headers"):
            if isinstance(own.get(name), Mapping):
                own[name] = {**base.get(name, {}), **own[name]}
        own = {**base, **own}
    try:
        described = TypeAdapter(Description).validate_python(walk(own, _unquoted))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {place}: {first['msg']}.") from None
    return _checked(described, where)


def picked(value: Any, path: str) -> Any:
    """Return what stands at a dotted path. Raises LookupError when nothing does."""
    rest = path
    while rest:
        if isinstance(value, Mapping) and rest in value:  # a key that itself holds a dot
            return value[rest]
        part, _, rest = rest.partition(".")
        if isinstance(value, Mapping):
            value = value[part]
        elif isinstance(value, list) and part.lstrip("-").isdecimal():
            value = value[int(part)]
        else:
            raise LookupError(part)
    return value


def filled(template: Any, values: Mapping[str, Any], each: Sequence[Mapping[str, Any]] = ()) -> Any:
    """Fill a template; a text that is one field only becomes its value, a number a number.

    each  values of every query or document, for what stands under `$each`
    """
    if isinstance(template, str):
        whole = _FIELD.fullmatch(template)
        return values[whole[1]] if whole and whole[1] in values else filled_text(template, values)
    if isinstance(template, Mapping):
        if set(template) == {"$each"}:
            return [filled(template["$each"], of_one) for of_one in each]
        return {name: filled(inner, values, each) for name, inner in template.items()}
    if isinstance(template, list):
        return [filled(inner, values, each) for inner in template]
    return template


def filled_text(
    template: str, values: Mapping[str, Any], change: Callable[[str], str] = str
) -> str:
    """Fill a text; `change` is what is done to each value first."""

    def of_field(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        value = values[found[1]]
        return change(value if isinstance(value, str) else json.dumps(value))

    return _FIELD.sub(of_field, template)


def texts_of(value: Any) -> list[str]:
    """Return every text that stands anywhere in a value."""
    found: list[str] = []
    walk(value, text=lambda text: found.append(text) or text)  # type: ignore[func-returns-value]
    return found


def fields_of(value: Any, names: Sequence[str]) -> set[str]:
    """Return those of the named fields that stand anywhere in a value: `query`, `k`, ..."""
    return {name for text in texts_of(value) for name in _FIELD.findall(text)} & {*names}


def walk(
    value: Any,
    mapping: Callable[[Mapping[str, Any]], Any] = lambda value: value,
    text: Callable[[str], str] = lambda text: text,
    number: Callable[[float], Any] = lambda number: number,
) -> Any:
    """Return a value of JSON with every mapping, text and number in it changed."""
    if isinstance(value, Mapping):
        changed = mapping(value)
        if not isinstance(changed, Mapping):
            return changed
        return {name: walk(each, mapping, text, number) for name, each in changed.items()}
    if isinstance(value, list):
        return [walk(each, mapping, text, number) for each in value]
    if isinstance(value, str):
        return text(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return number(value) if is_number else value


def _checked(described: Description, where: str) -> Description:
    """Return the description with what it leaves to us, once everything fits."""
    _check_address(described.url, where)
    for name in ("page_size", "concurrency", "candidate_depth"):
        if vars(described)[name] < 1:
            raise InputError(f"{where}: {name} must be at least 1.")
    asks = {"query", "vector"}
    if described.body is None and not described.fields(ASKED) & asks:
        described = replace(described, body={"query": "{query}", "k": "{k}"})
    method = described.method or ("GET" if described.body is None else "POST")
    described = replace(described, method=method.upper())
    if not described.fields(ASKED) & asks:
        raise InputError(
            f"{where}: the request has no {{query}}, so every query would get the same answer."
        )
    if not described.answer.id and not described.answer.text:
        raise InputError(f"{where}: answer needs a path for id, or for text.")
    if (described.ingest is None) != (described.remove is None):
        given, lacking = ("ingest", "remove") if described.ingest else ("remove", "ingest")
        raise InputError(
            f"{where}: `{given}` needs a matching `{lacking}`, so that test documents can be "
            "added and removed."
        )
    if described.scratch != (described.ingest is not None):
        raise InputError(
            f"{where}: a scratch index needs `ingest` and `remove`."
            if described.scratch
            else f"{where}: `ingest` needs an empty index that is only for tests. If it is one, "
            "add scratch: true."
        )
    if described.ingest is not None and described.remove is not None:
        if not described.answer.id:
            raise InputError(
                f"{where}: `ingest` needs answer.id, to recognise the documents it wrote."
            )
        if not 0 <= described.wait < math.inf:
            raise InputError(f"{where}: wait must be at least 0 seconds, got {described.wait}.")
        described = replace(
            described,
            ingest=_written("ingest", described.ingest, described, where),
            remove=_written("remove", described.remove, described, where),
        )
    calls = [described, *filter(None, (described.ingest, described.remove))]
    if any("vector" in each.fields(("vector",)) for each in calls) and not described.encoder:
        raise InputError(f"{where}: {{vector}} needs an encoder, for example encoder: minilm.")
    return described


def _check_address(url: str, where: str) -> None:
    checked_url(url)
    for name, value in parse_qsl(urlsplit(url).query):
        if _SECRET_NAME.search(name) and not VARIABLE.search(value):
            raise InputError(
                f"{where}: the address has a value for {name!r}, which may be secret. Put it into "
                f"an environment variable, and write {name}=${{NAME}} in the YAML file."
            )


def _written(name: str, part: Writing, search: Description, where: str) -> Writing:
    """Return `ingest` or `remove` at its full address, with the headers that it has not itself."""
    address = urljoin(search.url, part.url)
    _check_address(address, where)
    if part.batch_size < 1:
        raise InputError(f"{where}: {name}.batch_size must be at least 1.")
    if not part.fields(GIVEN) & {"id", "uuid"}:
        raise InputError(f"{where}: `{name}` needs {{id}} or {{uuid}}, to identify documents.")
    if name == "ingest" and not part.fields(GIVEN) & {"text", "content", "vector"}:
        raise InputError(f"{where}: `ingest` needs {{text}}, {{content}} or {{vector}}.")
    body = walk(part.body, lambda value: {k: v for k, v in value.items() if k != "$each"})
    if len(part.each) > 1 or (part.each and fields_of([part.url, part.headers, body], GIVEN)):
        raise InputError(f"{where}: `{name}` must have $each once, with every field inside it.")
    own = {header.lower() for header in (*part.headers, "content-type")}
    inherited = {name: text for name, text in search.headers.items() if name.lower() not in own}
    method = part.method or ("POST" if part.body else "DELETE")
    headers = {**inherited, **part.headers}
    return replace(part, url=address, method=method.upper(), headers=headers)


def _template(name: Any, where: str) -> dict[str, Any]:
    import yaml

    folder = files("leadline.retrievers") / "endpoints"
    known = sorted(each.name.removesuffix(".yaml") for each in folder.iterdir())
    if name not in known:
        raise unknown(f"template in {where}:", str(name), known, "")
    content: dict[str, Any] = yaml.safe_load((folder / f"{name}.yaml").read_text("utf-8"))
    return content


def _unquoted(value: Mapping[str, Any]) -> Any:
    """Turn `size: {k}`, which YAML reads as a mapping, into the field that was meant."""
    if len(value) == 1:
        ((name, content),) = value.items()
        if content is None and name in (*ASKED, *GIVEN):
            return f"{{{name}}}"
    return value


def _masked(text: str) -> str:
    """Return the placeholders of a text alone: any literal may be a secret."""
    if not SHOWN.sub("", text):
        return text
    return _MASKED.join(["", *SHOWN.findall(text), ""]) or _MASKED


GIVE_UP_AFTER = 20
"""Queries that fail one after the other before the rest is not even sent."""

_SHORTEST_SECRET = 8
_NO_SECRETS = ("accept", "content-type", "user-agent")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)
_HEADER = re.compile(r"[ -~\t]*")
_IN_URL = "".join(map(chr, range(33, 127)))
_PRINTABLE = " " + _IN_URL.replace("%", "")


def with_variables(call: Call, where: str) -> Call:
    """Return a call with its environment variables filled in, and a type for its content."""

    def insert(text: str) -> str:
        for name in VARIABLE.findall(text):
            if not os.environ.get(name, "").strip():
                raise InputError(
                    f"{where}: the environment variable {name} is not set. Run export {name}=..."
                )
        return VARIABLE.sub(lambda found: os.environ[found[1]].strip(), text)

    headers = {name: insert(value) for name, value in call.headers.items()}
    if call.body is not None and "content-type" not in {each.lower() for each in headers}:
        headers["Content-Type"] = "application/json"
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER.fullmatch(value):
            raise InputError(f"{where}: header {name!r} has a character that headers cannot have.")
    url, body = insert(call.url), walk(call.body, text=insert)
    return Call(url=url, method=call.method, headers=headers, body=body)


def secrets_of(calls: Sequence[Call]) -> tuple[str, ...]:
    """Return what no message may repeat: environment variables, literals of headers and bodies."""
    found = []
    for call in calls:
        telling = [v for name, v in call.headers.items() if name.lower() not in _NO_SECRETS]
        texts = texts_of([telling, call.body])
        for text in [call.url, *texts]:
            found += [os.environ.get(name, "").strip() for name in VARIABLE.findall(text)]
        parts = [part.strip() for text in texts for part in SHOWN.split(text)]
        words = [word for part in parts for word in (part, *part.split())]
        found += [word for word in words if len(word) >= _SHORTEST_SECRET]
    return tuple(found)


def request_of(
    call: Call, values: Mapping[str, Any], each: Sequence[Mapping[str, Any]] = ()
) -> Request:
    """Return the request for the values of the fields.

    call    with its environment variables filled in
    values  of a search: query, k, offset, vector; of a document: id, uuid, title, text, ...
    each    the values of every query or document, where a call takes several
    """
    headers = {
        name: filled_text(value, values, lambda text: quote(text, _PRINTABLE, errors="replace"))
        for name, value in call.headers.items()
    }
    kind = next((v for name, v in headers.items() if name.lower() == "content-type"), "")
    body: bytes | None = None
    if isinstance(call.body, str):
        change = quote_plus if "urlencoded" in kind else lambda text: json.dumps(text)[1:-1]
        body = filled_text(call.body, values, change).encode("utf-8", "replace")
    elif isinstance(call.body, list) and "ndjson" in kind:
        body = _lines(call.body, values, each).encode()
    elif call.body is not None:
        body = json.dumps(filled(call.body, values, each)).encode()
    url = filled_text(call.url, values, lambda text: quote(text, "", errors="replace"))
    url = quote(url, _IN_URL)
    return Request(call.method, url, {"User-Agent": "leadline", **headers}, body)


def _lines(body: Sequence[Any], values: Mapping[str, Any], each: Sequence[Any]) -> str:
    """Fill a body as lines of JSON; a document may take several, such as a head and its text."""
    lines: list[Any] = []
    for part in body:
        made = filled(part, values, each)
        if isinstance(part, Mapping) and set(part) == {"$each"}:
            lines += [line for one in made for line in (one if isinstance(one, list) else [one])]
        else:
            lines.append(made)
    return "".join(json.dumps(line) + "\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found; `score` is None where the service gave none."""

    id: str
    score: float | None
    text: str


class Asking:
    """Asks a service for the `k` best of queries, in several threads, while it makes sense.

    call  the search, with its environment variables filled in
    """

    def __init__(self, description: Description, call: Call, k: int, service: Service) -> None:
        self.service = service
        self._description = description
        self._call = call
        self._k = k
        self._failed_in_a_row = 0
        self._lock = threading.Lock()

    def outcome(self, text: str, vector: Any) -> list[Hit] | ServiceError:
        """Return the hits of a query, or why there are none."""
        if self._failed_in_a_row >= GIVE_UP_AFTER:
            return ServiceError(f"not sent: {GIVE_UP_AFTER} queries failed in a row")
        try:
            hits = self._pages(text, vector)
        except ServiceError as error:
            with self._lock:
                self._failed_in_a_row += 1
            return ServiceError(self.service.told(str(error)), error.status)
        with self._lock:
            self._failed_in_a_row = 0
        return hits

    def _pages(self, text: str, vector: Any) -> list[Hit]:
        """Return the hits of one query, page by page where the description has an offset."""
        paged = "offset" in self._description.fields(ASKED)
        hits: dict[tuple[str, str], Hit] = {}
        offset = 0
        while True:
            size = min(self._description.page_size, self._k - len(hits)) if paged else self._k
            values = {"query": text, "k": size, "offset": offset, "vector": vector}
            page = self.read(self.service.call(request_of(self._call, values)))
            if not paged:
                return page
            known = len(hits)
            for hit in page:
                hits.setdefault((hit.id, hit.text), hit)
            offset += len(page)
            # A service that does not know the offset gives the same page for ever.
            if len(page) < size or len(hits) == known or len(hits) >= self._k:
                return list(hits.values())

    def read(self, content: Any) -> list[Hit]:
        """Return the hits of an answer. Raises ServiceError where it does not read as described."""
        path, may_be_missing, _ = self._description.answer.hits.partition("?")
        try:
            if may_be_missing:
                above, _, path = path.rpartition(".")
                content = {path: [], **picked(content, above)}
            found = picked(content, path)
        except (LookupError, TypeError):
            raise ServiceError(f"the answer has no {path!r}{_keys(content)}") from None
        if not isinstance(found, list):
            raise ServiceError(f"{path!r} of the answer is not a list of hits")
        return [self._hit(each, number) for number, each in enumerate(found, start=1)]

    def _hit(self, hit: Any, number: int) -> Hit:
        answer = self._description.answer
        if isinstance(hit, str | int) and not isinstance(hit, bool):
            return Hit(str(hit), None, str(hit))
        id = _at(hit, answer.id, number) if answer.id else ""
        if not isinstance(id, str | int) or isinstance(id, bool):
            raise ServiceError(f"{answer.id!r} of a hit is not an id: {str(id)[:40]!r}")
        text = "" if answer.id else _at(hit, answer.text, number)
        return Hit(str(id), self._score(hit, number), str(text))

    def _score(self, hit: Any, number: int) -> float | None:
        path = self._description.answer.score
        is_optional = path is None
        path = "score" if path is None else path
        value = hit.get(path) if is_optional and isinstance(hit, Mapping) else None
        if not path or (is_optional and value is None):
            return None
        value = _at(hit, path, number)
        try:
            score = float(value)
        except (TypeError, ValueError, OverflowError):
            score = math.nan
        if not math.isfinite(score) or isinstance(value, bool):
            raise ServiceError(f"the score of hit {number} is not a number: {str(value)[:40]!r}")
        return -score if self._description.answer.lower_is_better else score


def _at(hit: Any, path: str, number: int) -> Any:
    try:
        return picked(hit, path)
    except LookupError:
        raise ServiceError(f"hit {number} has no {path!r}{_keys(hit)}") from None


def _keys(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"; its keys: {', '.join(str(key)[:40] for key in list(value)[:10])}"
    return f"; it is a {type(value).__name__}"
