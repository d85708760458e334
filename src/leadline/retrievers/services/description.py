"""What a user writes of a search service: where it is, what it is sent, how its answers read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urljoin, urlsplit

from leadline.errors import InputError, unknown
from leadline.retrievers.services.http import bare_url, checked_url
from leadline.retrievers.services.templates import (
    ASKED,
    GIVEN,
    fields_of,
    templates_of_each,
    without_each,
)

VARIABLE = re.compile(r"\$\{(\w+)\}")
_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|auth|signature|credential")
_MASKED = "***"
SHOWN = re.compile(r"\$?\{\w+\}")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Where things stand in an answer: dotted paths, with numbers for places in a list.

    hits             the list of hits, best first; empty when the answer is that list
    results          with `$each`: the list of answers, one for each query in the order they were
                     sent, and `hits` stands in each; empty when the whole is that list
    id               in a hit: the document's id in the corpus; empty to find it by its text
    score            in a hit; None for `score` when there is one, empty when there are only ranks
    text             in a hit: the document's text; needed only when there is no id
    lower_is_better  the score is a distance
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    hits: str = "hits"
    results: str = "results"
    id: str = "id"
    score: str | None = None
    text: str = ""
    lower_is_better: bool = False


@dataclass(frozen=True, kw_only=True)
class Writing:
    """A call that gives a service documents, or removes them.

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

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    url: str
    method: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | list[Any] | str | None = None
    batch_size: int = 100
    errors: str = ""

    @property
    def fields(self) -> set[str]:
        """The fields that stand anywhere in it: `id`, `text`, ..."""
        return fields_of([self.url, self.headers, self.body], GIVEN)

    @property
    def is_batched(self) -> bool:
        """Whether a call takes several documents."""
        return bool(templates_of_each(self.body))

    @property
    def at_once(self) -> int:
        """Most documents in a call."""
        return self.batch_size if self.is_batched else 1


@dataclass(frozen=True, kw_only=True)
class Description:
    """A search service.

    In `url`, `headers` and `body`, `{query}` stands for the text of the query, `{k}` for the
    number of documents wanted, `{offset}` for those that were had before, `{vector}` for the
    vector that `encoder` gives the query, and `${NAME}` for an environment variable.

    A service that takes several queries in a call has `$each: TEMPLATE` somewhere in its body:
    there stands the list of what TEMPLATE becomes for each of them. With a header
    `Content-Type: application/x-ndjson` a body that is a list is sent as lines of JSON, one for
    each member, and one for each member of what `$each` makes of a query.

    method           POST by default when there is a body, else GET
    body             a mapping that is sent as JSON, or a text
    batch_size       most queries in a call, where `$each` stands somewhere
    page_size        most documents asked for at once, where `{offset}` stands somewhere
    encoder          a system of the catalog, a name on the hub or a folder
    timeout          seconds for one answer
    concurrency      calls at the same time
    retries          calls after the first when it failed in a way that may pass
    backoff          seconds before the first retry, doubled for every further one
    candidate_depth  documents searched to find the scores of given candidates
    ingest, remove   how documents are given for the time of a test, and removed again; both or none
    wait             seconds until what was given is found, or what was removed is not
    scratch          the index holds nothing, and is given every document of a corpus
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    url: str
    method: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | list[Any] | str | None = None
    answer: Answer = field(default_factory=Answer)
    page_size: int = 100
    batch_size: int = 32
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
    def fields(self) -> set[str]:
        """The fields that stand anywhere in the description: `query`, `k`, ..."""
        return fields_of([self.url, self.headers, self.body])

    @property
    def batched(self) -> bool:
        """Whether a call holds several queries."""
        return bool(templates_of_each(self.body))

    @property
    def at_once(self) -> int:
        """Most queries in a call."""
        return self.batch_size if self.batched else 1

    @property
    def shown(self) -> dict[str, Any]:
        """What a report tells: names of headers without values, nothing that may be a secret."""
        return {
            "url": bare_url(self.url),
            "method": self.method,
            "headers": sorted(self.headers),
            "body": _masked(self.body),
            "answer": {name: value for name, value in vars(self.answer).items() if value},
            **({"page_size": self.page_size} if "offset" in self.fields else {}),
            **({"batch_size": self.batch_size} if self.batched else {}),
            **({"encoder": self.encoder} if self.encoder else {}),
            **({"takes": "every document" if self.scratch else "edited"} if self.ingest else {}),
        }


def read(content: Any, where: str) -> Description:
    """Return the description that a mapping holds, with what its template adds.

    where  the file, for messages

    Raises InputError when a key is unknown or a value does not fit.
    """
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(content, Mapping):
        raise InputError(f"{where}: a search service is described by a mapping with `url`.")
    own = dict(content)
    template = own.pop("template", None)
    if template is not None:
        own = _over(_template(template, where), own)
    try:
        described = TypeAdapter(Description).validate_python(
            {
                name: _mended(value, GIVEN if name in ("ingest", "remove") else ASKED)
                for name, value in own.items()
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {place}: {first['msg']}.") from None
    return _checked(described, where)


def templates() -> list[str]:
    """List the services for which there is a ready template."""
    folder = files("leadline.retrievers") / "endpoints"
    return sorted(each.name.removesuffix(".yaml") for each in folder.iterdir())


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


def _checked(described: Description, where: str) -> Description:
    _check_address(described.url, where)
    for name in ("page_size", "batch_size", "concurrency", "candidate_depth"):
        if getattr(described, name) < 1:
            raise InputError(f"{where}: {name} must be at least 1.")
    if described.body is None and not described.fields & {"query", "vector"}:
        described = replace(described, body={"query": "{query}", "k": "{k}"})
    method = described.method or ("GET" if described.body is None else "POST")
    described = replace(described, method=method.upper())
    if not described.fields & {"query", "vector"}:
        raise InputError(f"{where}: nothing says {{query}}, so every query would get one answer.")
    _check_each(described, where)
    if "vector" in described.fields and not described.encoder:
        raise InputError(f"{where}: {{vector}} needs an encoder, for example encoder: minilm.")
    if not described.answer.id and not described.answer.text:
        raise InputError(f"{where}: answer needs a path for id, or for text.")
    return _with_writing(described, where)


def _check_address(url: str, where: str) -> None:
    checked_url(url)
    for name, value in parse_qsl(urlsplit(url).query):
        if _SECRET_NAME.search(name) and not VARIABLE.search(value):
            raise InputError(
                f"{where}: the address holds a value for {name!r}; keep it in an environment "
                f"variable and write {name}=${{NAME}} into the YAML file."
            )


def _with_writing(described: Description, where: str) -> Description:
    """Return the description with the methods of `ingest` and `remove`, which must fit."""
    if (described.ingest is None) != (described.remove is None):
        given, lacking = ("ingest", "remove") if described.ingest else ("remove", "ingest")
        raise InputError(f"{where}: has `{given}` and no `{lacking}`: what is given is removed.")
    if described.ingest is None or described.remove is None:
        if described.scratch:
            raise InputError(f"{where}: a scratch index needs `ingest` and `remove`.")
        return described
    if not described.answer.id:
        raise InputError(f"{where}: `ingest` needs answer.id, to know a document that was given.")
    if not 0 <= described.wait < math.inf:
        raise InputError(f"{where}: wait must be at least 0 seconds, got {described.wait}.")
    return replace(
        described,
        ingest=_written("ingest", described.ingest, described, where),
        remove=_written("remove", described.remove, described, where),
    )


def _written(name: str, part: Writing, described: Description, where: str) -> Writing:
    _check_address(urljoin(described.url, part.url), where)
    _check_documents(name, part, described, where)
    return replace(part, method=(part.method or ("POST" if part.body else "DELETE")).upper())


def _check_documents(name: str, part: Writing, described: Description, where: str) -> None:
    if part.batch_size < 1:
        raise InputError(f"{where}: {name}.batch_size must be at least 1.")
    if not part.fields & {"id", "uuid"}:
        raise InputError(
            f"{where}: nothing in `{name}` says {{id}} or {{uuid}}, under which a document is kept."
        )
    if name == "ingest" and not part.fields & {"text", "content", "vector"}:
        raise InputError(f"{where}: nothing in `ingest` says {{text}}, {{content}} or {{vector}}.")
    if "vector" in part.fields and not described.encoder:
        raise InputError(f"{where}: {{vector}} needs an encoder, for example encoder: minilm.")
    found = templates_of_each(part.body)
    outside = fields_of([part.url, part.headers, without_each(part.body)], GIVEN)
    if found and (len(found) > 1 or outside or not fields_of(found, GIVEN)):
        raise InputError(
            f"{where}: in `{name}`, $each stands once, with every field of a document in it."
        )


def _check_each(described: Description, where: str) -> None:
    found = templates_of_each(described.body)
    if not found:
        return
    inside = fields_of(found)
    outside = fields_of([described.url, described.headers, without_each(described.body)])
    if len(found) > 1 or not inside & {"query", "vector"} or "offset" in inside | outside:
        raise InputError(
            f"{where}: $each stands once, with {{query}} or {{vector}} in it, and takes no "
            "{offset}."
        )
    if outside - {"k"}:
        raise InputError(f"{where}: with $each, only {{k}} can stand elsewhere.")


def _template(name: Any, where: str) -> dict[str, Any]:
    import yaml

    if name not in templates():
        raise unknown(f"template in {where}:", str(name), templates(), "")
    text = (files("leadline.retrievers") / "endpoints" / f"{name}.yaml").read_text("utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return content


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the template with the user's own keys over it; answer and headers key by key."""
    merged = {**base, **own}
    for name in ("answer", "headers"):
        if isinstance(own.get(name), Mapping):
            merged[name] = {**base.get(name, {}), **own[name]}
    return merged


def _mended(value: Any, names: Sequence[str]) -> Any:
    """Turn `size: {k}`, which YAML reads as a mapping, into the field that was meant."""
    if isinstance(value, Mapping):
        if len(value) == 1 and set(value) < {*names}:
            ((name, content),) = value.items()
            if content is None:
                return f"{{{name}}}"
        return {name: _mended(each, names) for name, each in value.items()}
    if isinstance(value, list):
        return [_mended(each, names) for each in value]
    return value


def _masked(value: Any) -> Any:
    """Return a body whose texts show their placeholders only: any literal may be a secret."""
    if isinstance(value, Mapping):
        return {name: _masked(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_masked(each) for each in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _MASKED
    if not isinstance(value, str) or not SHOWN.sub("", value):
        return value
    return _MASKED.join(["", *SHOWN.findall(value), ""]) or _MASKED
