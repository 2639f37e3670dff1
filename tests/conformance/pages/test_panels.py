"""`loopspec panels` without a browser: the contents of the page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from loopspec.contract.plugins import StrategyMeta
from loopspec.pages.panels import render

from ..parsed_page import Page, page_of, words_of
from ..strategies import CACHE, Everything, of_schema

NASTY = "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(1)>"


def test_every_control_has_a_label_and_every_id_leads_somewhere() -> None:
    """Labels, descriptions and headings are tied to what they belong to."""
    page = page_of(("cache", CACHE), ("all", of_schema(msgspec.json.schema(Everything))[0][1]), ("none", None))
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    labelled = {element.attributes["for"] for element in page.all("label")}
    pointing = [
        name
        for element in page.elements
        for key in ("aria-describedby", "aria-labelledby", "for")
        for name in (element.attributes.get(key) or "").split()
    ]
    controls = [element for tag in ("input", "select", "textarea") for element in page.all(tag)]

    assert len(ids) == len(set(ids))
    assert set(pointing) <= set(ids)
    assert len(controls) > 40
    assert {element.attributes["id"] for element in controls} == labelled
    assert all("aria-describedby" in e.attributes for e in controls if "data-toggle" not in e.attributes)
    assert [fieldset for fieldset in page.all("fieldset") if not fieldset.text.strip()] == []
    assert len(page.all("fieldset")) == len(page.all("legend"))


def test_defaults_are_filled_in() -> None:
    """Of every kind; those of an object reach the fields in it."""
    inner = {"type": "object", "properties": {"x": {"type": "integer", "default": 1}, "y": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "default": "a\nb"},
            "flag": {"type": "boolean", "default": True},
            "choice": {"enum": ["a", "b", 3], "default": 3},
            "list": {"type": "array", "items": {"type": "number"}, "default": [1, 2.5]},
            "object": {**inner, "default": {"y": "why"}},
            "json": {"type": "object", "default": {"k": [None]}},
        },
    }

    page = page_of(*of_schema(schema))

    areas = [area.text.removeprefix("\n") for area in page.all("textarea")]
    assert areas == ["a\nb", "why", '{\n  "k": [\n    null\n  ]\n}']
    assert ["checked" in box.attributes for box in page.all("input", type="checkbox")] == [True, True]
    assert [option.text for option in page.all("option") if "selected" in option.attributes] == ["3"]
    shown = [box.attributes["value"] for box in page.all("input", type="text")]
    assert shown == ["1", "2.5", "", "1"]  # the empty one is what another row is like


def test_a_strategy_without_options_or_metadata_is_shown() -> None:
    """With a sentence instead of fields."""
    page = page_of(("bare", StrategyMeta(name="bare", label={})), ("unknown", None))

    assert [heading.text for heading in page.all("h2")] == ["bare", "unknown"]
    assert "This strategy has no options." in words_of(page)
    assert "This strategy has no metadata" in words_of(page)
    assert "mine registers no strategies." in words_of(page_of())


def test_all_texts_of_a_strategy_stay_text() -> None:
    """None of them makes an element."""
    schema = {
        "type": "object",
        "title": NASTY,
        "description": NASTY,
        "properties": {
            NASTY: {
                "type": "string",
                "default": NASTY,
                "x-label": {NASTY: NASTY, "en_US": NASTY},
                "x-description": NASTY,
                "pattern": NASTY,
            },
            "area": {"type": "object", "default": {NASTY: NASTY}},
            "choice": {"enum": [NASTY, [NASTY]], "default": NASTY},
            "list": {"type": "array", "items": {"type": "string"}, "default": [NASTY], "title": NASTY},
        },
        NASTY: 1,
    }
    meta = StrategyMeta(
        name=NASTY, label={"en_US": NASTY, NASTY: NASTY}, icon=NASTY, description={"en_US": NASTY}, config_schema=schema
    )
    broken = StrategyMeta(name="b", label={"en_US": "b"}, icon=f"data:image/{NASTY}", config_schema={"type": NASTY})

    html = render(NASTY, [(NASTY, meta), ("b", broken)])
    page = Page(html)

    assert len(page.all("script")) == 3  # a schema, the words, and the page's own
    assert [image.attributes["src"] for image in page.all("img")] == [f"data:image/{NASTY}"]
    assert not [name for element in page.elements for name in element.attributes if name.startswith("on")]
    data = [json.loads(script.text) for script in page.all("script", type="application/json")]
    assert data[0]["schema"] == schema
    assert page.all("h2")[0].text.startswith(NASTY)


def test_backticks_in_a_description_become_code() -> None:
    """In that of a strategy and that of a field, in each language; everything else stays text."""
    schema = {
        "type": "object",
        "properties": {"`a`": {"type": "string", "description": "The `<b>` of `a` ` and & <i>"}},
    }
    texts = {"en_US": "Calls `one <b>` once.", "zh_Hans": "调用 `一` 次。"}
    page = page_of(*of_schema(schema, description=texts))

    assert [code.text for code in page.all("code") if code.within and code.within.tag == "span"] == [
        "one <b>", "一", "<b>", "a"
    ]  # fmt: skip
    assert page.all("b") == page.all("i") == []
    assert "The <b> of a ` and & <i>" in words_of(page)
    assert [span.text for span in page.all("span") if "data-name" in span.attributes] == ["`a`"]
    assert "Calls one <b> once." in words_of(page)


def test_the_page_loads_nothing() -> None:
    """No address is in it but its own anchors, and it forbids itself everything else."""
    page = page_of(
        ("far", StrategyMeta(name="far", label={"en_US": "Far"}, icon="https://example.org/icon.png")),
        ("near", StrategyMeta(name="near", label={"en_US": "Near"}, icon="data:image/png;base64,AAAA")),
        ("page", StrategyMeta(name="page", label={"en_US": "Page"}, icon="data:text/html,x")),
    )
    leading = [
        value for element in page.elements for name, value in element.attributes.items() if name in ("src", "href")
    ]
    (policy,) = page.all("meta", http_equiv="Content-Security-Policy")

    assert leading == ["#p1", "#p2", "#p3", "data:image/png;base64,AAAA"]
    assert not page.all("link")
    assert "https://example.org/icon.png" in words_of(page)
    content = policy.attributes["content"] or ""
    assert content.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in content


def test_the_page_is_the_same_each_time() -> None:
    """Whatever the seed of the hashes."""
    code = (
        "from tests.conformance.strategies import CACHE; from loopspec.pages.panels import render; "
        "print(render('mine', [('cache', CACHE)]), end='')"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert seen == {render("mine", [("cache", CACHE)]).encode()}


def test_each_language_has_its_texts() -> None:
    """The first is shown, the others wait; a language is named as HTML does."""
    page = page_of(("cache", CACHE))
    (title,) = page.all("h2")
    spans = [span for span in page.all("span") if span.within is title]

    assert [(span.text, "hidden" in span.attributes, span.attributes["data-in"]) for span in spans] == [
        ("Answer cache", False, "0"),
        ("答案缓存", True, "1"),
    ]
    assert [
        (button.attributes["lang"], button.text) for button in page.all("button") if "lang" in button.attributes
    ] == [
        ("en-US", "English"),
        ("zh-Hans", "简体中文"),
    ]
    assert [section.attributes["lang"] for section in page.all("section")] == ["en-US"]
    assert [html.attributes["lang"] for html in page.all("html")] == ["en-US"]


def test_a_language_that_is_lacking_falls_back() -> None:
    """To a relative, to English, to what there is; and a text in another language than its panel says so."""
    everything = StrategyMeta(name="a", label={"zh_Hans": "甲", "en_US": "A", "fr": "Le A"})
    page = page_of(
        ("all", everything),
        ("relative", StrategyMeta(name="r", label={"de": "R", "zh_Hant": "乙"})),
        ("english", StrategyMeta(name="e", label={"ja": "い", "en": "E"})),
        ("other", StrategyMeta(name="o", label={"ja": "お"})),
        ("partly", StrategyMeta(name="p", label={"en_US": "P"}, description={"zh_Hans": "丙"})),
    )
    shows = [json.loads(s.text)["shows"] for s in page.all("script", type="application/json")]
    # Of the page: zh_Hans, en_US, fr, de, zh_Hant, ja, en.
    assert [[tag for tag, _ in panel][:3] for panel in shows] == [
        ["zh-Hans", "en-US", "fr"],
        ["zh-Hant", "de", "de"],
        ["en", "en", "en"],
        ["ja", "ja", "ja"],
        ["zh-Hans", "en-US", "en-US"],
        ["zh-Hans", "en-US", "en"],  # the page itself
    ]
    assert [words for _, words in shows[0]][:3] == ["zh", "en", "en"]
    partly = page.all("h2")[4]
    assert [span.attributes.get("lang") for span in page.all("span") if span.within is partly] == ["en-US", None]


def test_a_text_that_is_no_utf8_is_written() -> None:
    """With a mark in its place."""
    html = render("mine", [("x", StrategyMeta(name="x", label={"en_US": "half \ud83d"}))])

    assert "half ?" in html
