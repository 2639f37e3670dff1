"""From strategies to the page: one file of HTML that loads nothing, the same for the same strategies."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib import resources

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from ...contract.plugins import StrategyMeta
from ...contract.values import Json
from ..theme import coded
from .fields import Form, Texts, form_of
from .schemas import BrokenSchema
from .words import NAMES, REASONS, WORDS, family, hint, nearest, say, tag

_FILES = resources.files("loopspec.pages.panels")
_SAID = ("x-label", "x-description")


def render(target: str, strategies: Iterable[tuple[str, StrategyMeta | None]]) -> str:
    """Make the page of a target's strategies: each with the provider it is registered under and its metadata."""
    found = list(strategies)
    languages = list(dict.fromkeys(language for _, meta in found for language in _languages(meta))) or ["en"]
    # Our own: nothing to escape.
    style, script = Markup(_read("page.css")), Markup(_read("check.js") + "\n" + _read("page.js"))
    environment = Environment(
        loader=DictLoader({name: _read(name) for name in ("page.html", "field.html")}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"embedded": _embedded, "json": lambda value: json.dumps(value, ensure_ascii=False)}
    page = environment.get_template("page.html").render(
        target=target,
        frame=Voice(languages, [_foreign(language) or language for language in languages]),
        panels=[Panel(number, provider, meta, languages) for number, (provider, meta) in enumerate(found, 1)],
        switch=[(tag(language), NAMES.get(tag(language), language)) for language in languages],
        words={own: WORDS[own] | REASONS[own] for own in WORDS},
        style=style,
        script=script,
        policy=f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "form-action 'none'; base-uri 'none'",
    )
    return page.encode("utf-8", "replace").decode("utf-8")  # half a character of UTF-16 is none


class Voice:
    """Texts in the language that the page is switched to: `shows` has the language shown for each of the page's."""

    def __init__(self, languages: list[str], shows: list[str]) -> None:
        self.languages = languages
        self.shows = shows

    @property
    def spoken(self) -> list[tuple[str, str]]:
        """For each language of the page: the language shown here, and that of the page's own words."""
        return [(tag(language), family(language)) for language in self.shows]

    def text(self, texts: Texts) -> Markup:
        """A text in each language; all but the first are hidden."""
        return self._spans([_pick(texts, language) for language in self.shows])

    def prose(self, texts: Texts) -> Markup:
        """A description in each language, with `backticks` as code."""
        picked = (_pick(texts, language) for language in self.shows)
        return self._spans([(language, coded(text)) for language, text in picked])

    def say(self, word: str, field: Texts | None = None, **values: object) -> Markup:
        """A sentence of the page's own in each language."""
        said = []
        for language in self.shows:
            own = {"field": _pick(field, language)[1]} if field is not None else {}
            said.append((_foreign(language), say(language, word, **own, **values)))
        return self._spans(said)

    def plain(self, word: str) -> str:
        """A sentence of the page's own, for a place with one language."""
        return say(self.shows[0], word)

    def hint(self, demands: tuple[tuple[str, str], ...]) -> Markup:
        """The demands on a field."""
        return self._spans([(_foreign(language), hint(language, demands)) for language in self.shows])

    def _spans(self, said: list[tuple[str, str]]) -> Markup:
        places: dict[tuple[str, str], list[str]] = {}
        for number, spoken in enumerate(said):
            places.setdefault(spoken, []).append(str(number))
        spans = []
        for (language, text), numbers in places.items():
            attributes = Markup(' lang="{}"').format(language) if language else Markup("")
            if len(places) > 1:
                attributes += Markup(' data-in="{}"').format(" ".join(numbers))
                attributes += Markup("" if "0" in numbers else " hidden")
            spans.append(Markup("<span{}>{}</span>").format(attributes, text))
        return Markup("").join(spans)


class Panel(Voice):
    """A strategy on the page."""

    def __init__(self, number: int, provider: str, meta: StrategyMeta | None, languages: list[str]) -> None:
        own = _languages(meta) or ["en"]
        super().__init__(languages, [nearest(language, own) for language in languages])
        self.id = f"p{number}"
        self.provider = provider
        self.name = meta.name if meta else ""
        self.label: Texts = (meta.label if meta else {}) or {"": self.name or provider}
        self.description: Texts = meta.description if meta else {}
        self.icon = meta.icon if meta else ""
        self.known = meta is not None
        self.schema: Json = meta.config_schema if meta else None
        self.form: Form | None = None
        self.broken = ""
        if meta is not None:
            self._make_form()

    @property
    def picture(self) -> bool:
        """The icon is an image that needs no network."""
        return self.icon.startswith("data:image/")

    @property
    def wordy(self) -> bool:
        """The icon is a word or an address, and no sign."""
        return len(self.icon) > 12 or bool(re.search(r"\w", self.icon))

    def _make_form(self) -> None:
        schema = {"type": "object", "additionalProperties": False} if self.schema is None else self.schema
        try:
            self.form = form_of(json.loads(json.dumps(schema, allow_nan=False)), self.id)
        except BrokenSchema as error:
            self.broken = str(error)
        except (TypeError, ValueError, RecursionError) as error:
            self.broken = f"it is no JSON: {error}"
        self.schema = schema


def _languages(meta: StrategyMeta | None) -> list[str]:
    """The languages of a strategy's label, description and schema."""
    if meta is None:
        return []
    found = [language for texts in (meta.label, meta.description) for language in texts]
    waiting = [meta.config_schema]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, Mapping):
            found += [language for key in _SAID if isinstance(part.get(key), Mapping) for language in part[key]]
            waiting += [value for key, value in part.items() if key not in (*_SAID, "default", "enum", "const")]
        elif isinstance(part, list | tuple):
            waiting += part
    return list(dict.fromkeys(language for language in found if isinstance(language, str) and language))


def _pick(texts: Texts, wanted: str) -> tuple[str, str]:
    """The text for a language, and the language it is in if that is another."""
    coded = [language for language in texts if language]
    if not coded or ("" in texts and not _is_near(nearest(wanted, coded), wanted)):
        return "", texts.get("", "")
    language = nearest(wanted, coded)
    return ("" if language == wanted else tag(language)), texts[language]


def _is_near(language: str, wanted: str) -> bool:
    return tag(language).lower().partition("-")[0] == tag(wanted).lower().partition("-")[0]


def _foreign(language: str) -> str:
    """The language of the page's own words where it is not that of their surroundings."""
    return "" if _is_near(family(language), language) else family(language)


def _embedded(value: Json) -> Markup:
    """JSON for a script element, whatever it holds."""
    text = json.dumps(value, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _read(name: str) -> str:
    return (_FILES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
