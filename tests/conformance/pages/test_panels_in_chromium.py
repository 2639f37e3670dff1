"""`loopspec panels` in a real browser: what is visible, what a screen reader gets, and what the forms return."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from loopspec.contract.plugins import StrategyMeta

from ..strategies import CACHE, CacheOptions, Place, of_schema
from .browsing import expect, press_tab

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.long

Opening = Callable[..., "Page"]


def ask(page: Page) -> None:
    """Ask the first panel for its options."""
    page.get_by_role("button", name="Show options").first.click()


def given(page: Page) -> Any:
    """Ask the first panel for its options, and wait for them. Every change of the form removes them."""
    ask(page)
    output = page.locator("output").first
    expect(output).not_to_be_empty()
    return json.loads(output.text_content() or "")


def must_refuse(page: Page) -> None:
    """Ask the first panel for its options, and wait until it says why there are none."""
    ask(page)
    expect(page.get_by_role("alert").first).not_to_be_empty()
    expect(page.locator("output").first).to_have_text("")


def must_complain(control: Locator, message: str) -> None:
    """Wait until a control is marked as wrong, and described by this message."""
    expect(control).to_have_attribute("aria-invalid", "true")
    described = (control.get_attribute("aria-describedby") or "").split()
    expect(control.page.locator(f"#{described[-1]}")).to_have_text(message)


def must_be_right(control: Locator) -> None:
    """Wait until a control is not marked as wrong."""
    expect(control).not_to_have_attribute("aria-invalid", "true")


def test_a_panel_refuses_what_is_wrong_and_gives_back_what_is_right(opened: Opening) -> None:
    """The message names the field and the reason; the options at the end are what the factory's struct takes."""
    page = opened(("cache", CACHE))
    seconds = page.get_by_label("Seconds kept")
    alert = page.get_by_role("alert")

    must_refuse(page)
    must_complain(seconds, "“Seconds kept” is required.")
    expect(alert).to_have_text("One field is not valid yet. There are no options to show.")
    expect(seconds).to_be_focused()

    seconds.fill("0")
    share = page.get_by_role("textbox", name="Share optional")
    share.fill("1")
    must_refuse(page)
    must_complain(seconds, "“Seconds kept” must be at least 1.")
    must_complain(share, "“Share” must be less than 1.")
    expect(alert).to_have_text("2 fields are not valid yet. There are no options to show.")

    seconds.fill("60")
    share.fill(".5")
    must_be_right(seconds)
    expect(alert).to_have_text("")

    options = {"seconds": 60, "level": "low", "share": 0.5, "shared": False, "tags": [], "limits": {}}
    assert given(page) == options
    assert msgspec.convert(options, CacheOptions) == CacheOptions(seconds=60, share=0.5)


def test_every_part_of_a_panel_can_be_filled_in(opened: Opening) -> None:
    """Enumerations, lists, an object that is there or not, JSON."""
    page = opened(("cache", CACHE))
    page.get_by_label("Seconds kept").fill("5")
    page.get_by_label("Level").select_option("high")
    page.get_by_label("Shared between runs").check()
    page.get_by_label("Name").fill("abc")
    for number, word in enumerate(["x", "y", "z"], 1):
        page.get_by_role("button", name="Add to “Tags”").click()
        page.get_by_role("textbox", name=f"Tags {number}").fill(word)
    page.get_by_label("Set “Store”").check()
    page.get_by_label("Host").fill("h")
    page.get_by_label("Limits by tool").fill('{"a": "1"}')

    must_refuse(page)
    expect(page.locator(".error:visible")).to_have_text(
        ["“Tags” must be a list of at most 2.", "“Limits by tool” must be a whole number."]
    )

    page.get_by_role("button", name="Remove Tags 1").click()
    page.get_by_label("Limits by tool").fill('{"a": 1}')
    options = {
        "seconds": 5, "level": "high", "shared": True, "name": "abc", "tags": ["y", "z"],
        "store": {"host": "h", "port": 6379}, "limits": {"a": 1},
    }  # fmt: skip
    assert given(page) == options
    assert msgspec.convert(options, CacheOptions) == CacheOptions(
        seconds=5,
        level=CacheOptions.__struct_defaults__[0].HIGH,
        shared=True,
        name="abc",
        tags=["y", "z"],
        store=Place(host="h"),
        limits={"a": 1},
    )

    page.get_by_label("Set “Store”").uncheck()
    page.get_by_label("Name").fill("")
    assert given(page) == {name: value for name, value in options.items() if name not in ("store", "name")}


def test_an_edit_removes_the_old_options(opened: Opening) -> None:
    """The options shown are always those of the form."""
    page = opened(("cache", CACHE))
    page.get_by_label("Seconds kept").fill("5")
    assert given(page)["seconds"] == 5

    page.get_by_label("Seconds kept").fill("6")

    expect(page.locator("output")).to_have_text("")


def test_what_is_empty_is_null_or_left_out(opened: Opening) -> None:
    """Null where something is required, or where a default would come back; an empty text where it was cleared."""
    text, whole = {"type": "string"}, {"type": "integer"}
    nullable = {"anyOf": [whole, {"type": "null"}]}
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": nullable,
            "b": {**nullable, "default": 5},
            "c": {**nullable, "default": None},
            "d": {**text, "default": "x"},
            "e": {**text, "default": "x", "minLength": 1},
            "f": text,
            "g": {"type": "array", "items": text, "default": ["x"]},
            "h": {"type": "array", "items": text},
            "i": {"type": ["boolean", "null"], "default": True},
            "j": {"type": "boolean"},
            "k": {"enum": ["x", None], "default": "x"},
            "l": {"type": "object", "default": {"x": 1}},
            "m": {**text, "default": "\n lines\n"},
            "n": {**text, "default": ""},
            "o": {"type": "array", "items": text, "default": [""]},
            "__proto__": {**text, "default": "p"},
        },
    }
    page = opened(*of_schema(schema))
    assert given(page) == {
        "a": None, "b": 5, "d": "x", "e": "x", "g": ["x"], "i": True, "k": "x", "l": {"x": 1},
        "m": "\n lines\n", "o": [""], "__proto__": "p",
    }  # fmt: skip

    for key in "bde":
        page.locator(f"[data-key={key}] :is(input, textarea)").fill("")
    page.get_by_role("button", name="Remove g 1").click()
    for key in "ik":
        page.locator(f"[data-key={key}] select").select_option("")
    page.locator("[data-key=l] textarea").fill("")

    assert given(page) == {
        "a": None, "b": None, "d": "", "g": [], "i": None, "k": None, "m": "\n lines\n", "o": [""], "__proto__": "p"
    }  # fmt: skip


def test_lists_of_lists_and_objects_keep_their_rows_apart(opened: Opening) -> None:
    """Names, labels and errors of one row are not those of another."""
    item = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    schema = {
        "type": "object",
        "properties": {
            "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            "rows": {"type": "array", "items": item},
        },
    }
    page = opened(*of_schema(schema))
    grid, rows = page.locator("[data-key=grid]"), page.locator("[data-key=rows]")
    for _ in range(2):
        grid.locator("> [data-inside] > [data-add]").click()
        rows.locator("> [data-inside] > [data-add]").click()
    second = grid.locator("> [data-inside] > [data-rows] > li").nth(1)
    for number in range(2):
        second.locator("[data-add]").click()
        second.locator("input").nth(number).fill(str(number + 1))
    rows.locator("input").first.fill("7")

    must_refuse(page)
    must_be_right(rows.locator("input").first)
    must_complain(rows.locator("input").nth(1), "“x” is required.")
    expect(second.locator("label [data-name]")).to_have_text(["grid 1", "grid 2"])
    expect(second.locator("legend [data-name]").first).to_have_text("grid 2")

    rows.get_by_role("button", name="Remove rows 1").click()
    rows.locator("input").fill("8")

    assert given(page) == {"grid": [[], [1, 2]], "rows": [{"x": 8}]}
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


def test_further_options_are_next_to_the_others(opened: Opening) -> None:
    """Of the kind that the schema requires, and under no name that has a field."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}
    page = opened(*of_schema(schema))
    further = page.get_by_label("Further options")

    for text, message in (
        ("[1]", "“Further options” must be an object."),
        ('{"a": 1}', "“Further options” must be an object without a."),
        ('{"b": "x"}', "“Further options” must be a whole number."),
        ("{", "“Further options” must be valid JSON."),
    ):
        further.fill(text)
        must_refuse(page)
        must_complain(further, message)
    further.fill('{"b": 2}')
    assert given(page) == {"b": 2}


def test_the_language_can_be_switched(opened: Opening) -> None:
    """Labels, the page's own words and the messages that are there already; what was filled in stays."""
    english = StrategyMeta(name="english", label={"en_US": "English only"}, config_schema={"type": "integer"})
    page = opened(("cache", CACHE), ("english", english))
    page.get_by_label("Seconds kept").fill("0")
    page.get_by_role("button", name="Add to “Tags”").click()
    must_refuse(page)
    expect(page.get_by_label("Seconds kept")).to_be_focused()  # the topmost error

    page.get_by_role("button", name="简体中文").click()

    seconds = page.get_by_label("保留秒数")
    expect(seconds).to_have_value("0")
    must_complain(seconds, "“保留秒数”必须大于或等于 1。")
    must_complain(page.get_by_role("textbox", name="标签 1"), "“标签 1”为必填项。")
    expect(page.get_by_role("alert").first).to_have_text("有 2 个字段尚未有效，没有可显示的选项。")
    expect(page.locator("section").nth(0)).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("section").nth(1)).to_have_attribute("lang", "en-US")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.wait_for_function("document.title === '策略选项 – mine'")
    expect(page.get_by_role("button", name="简体中文")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#p2 [type=submit]")).to_have_text("Show options", use_inner_text=True)
    page.get_by_role("button", name="添加到“标签”").click()
    expect(page.get_by_role("textbox", name="标签 2")).to_be_visible()

    page.get_by_role("button", name="English").click()
    must_complain(page.get_by_label("Seconds kept"), "“Seconds kept” must be at least 1.")


def test_the_keyboard_is_enough(opened: Opening) -> None:
    """From the top of the page to the options, and to another language."""
    page = opened(("cache", CACHE))

    def go_to(name: str) -> None:
        for _ in range(40):
            press_tab(page)
            if page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).innerText").startswith(
                name
            ):
                return
        pytest.fail(f"no way to {name}")

    go_to("简体中文")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    go_to("保留秒数")
    page.keyboard.type("9")
    go_to("级别")
    page.keyboard.press("h")
    go_to("在运行之间共享")
    page.keyboard.press("Space")
    add = page.get_by_role("button", name="添加到“标签”")
    go_to("添加到“标签”")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="标签 1")).to_be_focused()
    page.keyboard.type("t")
    go_to("移除")
    page.keyboard.press("Enter")
    expect(add).to_be_focused()
    go_to("显示选项")
    expect(page.get_by_role("button", name="显示选项")).to_have_css("outline-style", "solid")
    page.keyboard.press("Enter")

    output = page.locator("output")
    expect(output).not_to_be_empty()
    assert json.loads(output.inner_text()) == {
        "seconds": 9,
        "level": "high",
        "shared": True,
        "tags": [],
        "limits": {},
    }


def test_enter_in_a_field_shows_the_options(opened: Opening) -> None:
    """As in any form, and without leaving the page."""
    page = opened(("cache", CACHE))

    page.get_by_label("Seconds kept").fill("3")
    page.get_by_label("Seconds kept").press("Enter")

    expect(page.locator("output")).to_contain_text('"seconds": 3')


def test_a_script_in_a_text_stays_text(opened: Opening) -> None:
    """In a label, in a default, in a message, and in what is given back."""
    script = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    schema = {"type": "object", "properties": {script: {"type": "string", "default": script, "maxLength": 9}}}
    page = opened(*of_schema(schema, label={"en_US": script}, icon=script, description={"en_US": script}))

    must_refuse(page)
    expect(page.locator(".error:visible")).to_have_text(f"“{script}” must be at most 9 character(s) long.")
    expect(page.get_by_role("heading", level=2)).to_have_text(script)
    page.get_by_role("textbox", name=script).fill("<b>")
    assert given(page) == {script: "<b>"}
    expect(page.locator("img, b")).to_have_count(0)


def test_a_pattern_of_another_dialect_is_said_to_be_unchecked(opened: Opening) -> None:
    """Python's own, say."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": r"(?P<x>a)\Z"}}}
    page = opened(*of_schema(schema))
    page.get_by_label("a").fill("b")

    expect(page.locator("[data-unchecked]")).to_have_text(
        r"The schema requires more than this page can check: pattern (?P<x>a)\Z."
    )
    assert given(page) == {"a": "b"}
