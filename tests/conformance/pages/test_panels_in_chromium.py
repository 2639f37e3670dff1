"""`loopspec panels`, in a real browser: what a person sees, hears of and gets back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from loopspec.contract.plugins import StrategyMeta

from ..strategies import CACHE, CacheOptions, Everything, Place, of_schema

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Opening = Callable[..., "Page"]
WIDTHS = (390, 1280)
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3

# Every text that can be seen, with less contrast to what is behind it than WCAG AA wants.
TOO_FAINT = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parts = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [r, g, b] = parts(colour).map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (parts(colour)[3] === 255) return colour;
    }
    return "white";
  };
  const faint = [];
  for (const node of document.querySelectorAll("body *")) {
    const says = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (!(says || node.matches("input, select, textarea")) || !node.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push([node.tagName, node.className, node.textContent.slice(0, 40), ratio]);
  }
  return faint;
}"""


def shown(page: Page) -> Any:
    """The options that the first panel gives back when it is asked for them."""
    page.get_by_role("button", name="Show options").first.click()
    text = page.locator("output").first.text_content()
    return json.loads(text) if text else None


def error_of(control: Locator) -> str | None:
    """The message that a control is described by, if it is marked as wrong."""
    if control.get_attribute("aria-invalid") != "true":
        return None
    described = (control.get_attribute("aria-describedby") or "").split()
    return control.page.locator(f"#{described[-1]}").inner_text()


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_a_panel_refuses_what_is_wrong_and_gives_back_what_is_right(opened: Opening) -> None:
    """The message names the field and the reason; what comes out in the end is what the factory's struct takes."""
    page = opened(("cache", CACHE))
    seconds = page.get_by_label("Seconds kept")

    assert shown(page) is None
    assert error_of(seconds) == "“Seconds kept” is required."
    assert page.get_by_role("alert").inner_text() == "One field is not valid yet. There are no options to show."
    assert seconds.evaluate("node => node === document.activeElement")

    seconds.fill("0")
    share = page.get_by_role("textbox", name="Share optional")
    share.fill("1")
    assert shown(page) is None
    assert error_of(seconds) == "“Seconds kept” must be at least 1."
    assert error_of(share) == "“Share” must be less than 1."
    assert page.get_by_role("alert").inner_text() == "2 fields are not valid yet. There are no options to show."

    seconds.fill("60")
    share.fill(".5")
    assert error_of(seconds) is None
    assert page.get_by_role("alert").inner_text() == ""

    options = shown(page)
    assert options == {"seconds": 60, "level": "low", "share": 0.5, "shared": False, "tags": [], "limits": {}}
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

    assert shown(page) is None
    assert page.locator(".error:visible").all_inner_texts() == [
        "“Tags” must be a list of at most 2.",
        "“Limits by tool” must be a whole number.",
    ]

    page.get_by_role("button", name="Remove Tags 1").click()
    page.get_by_label("Limits by tool").fill('{"a": 1}')
    options = shown(page)

    assert msgspec.convert(options, CacheOptions) == CacheOptions(
        seconds=5,
        level=CacheOptions.__struct_defaults__[0].HIGH,
        shared=True,
        name="abc",
        tags=["y", "z"],
        store=Place(host="h"),
        limits={"a": 1},
    )
    assert options["tags"] == ["y", "z"]

    page.get_by_label("Set “Store”").uncheck()
    page.get_by_label("Name").fill("")
    assert {"store", "name"} & set(shown(page)) == set()


def test_an_edit_takes_the_old_options_away(opened: Opening) -> None:
    """What is shown is always what the form says."""
    page = opened(("cache", CACHE))
    page.get_by_label("Seconds kept").fill("5")
    assert shown(page)["seconds"] == 5

    page.get_by_label("Seconds kept").fill("6")

    assert page.locator("output").text_content() == ""


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
    assert shown(page) == {
        "a": None, "b": 5, "d": "x", "e": "x", "g": ["x"], "i": True, "k": "x", "l": {"x": 1},
        "m": "\n lines\n", "o": [""], "__proto__": "p",
    }  # fmt: skip

    for key in "bde":
        page.locator(f"[data-key={key}] :is(input, textarea)").fill("")
    page.get_by_role("button", name="Remove g 1").click()
    for key in "ik":
        page.locator(f"[data-key={key}] select").select_option("")
    page.locator("[data-key=l] textarea").fill("")

    assert shown(page) == {
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

    assert shown(page) is None
    assert [error_of(box) for box in rows.locator("input").all()] == [None, "“x” is required."]
    assert second.locator("label").all_inner_texts() == ["grid 1", "grid 2"]
    assert second.locator("legend").inner_text() == "grid 2"

    rows.get_by_role("button", name="Remove rows 1").click()
    rows.locator("input").fill("8")

    assert shown(page) == {"grid": [[], [1, 2]], "rows": [{"x": 8}]}
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


def test_further_options_go_beside_the_others(opened: Opening) -> None:
    """Of the kind that the schema asks for, and under no name that has a field."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}
    page = opened(*of_schema(schema))
    further = page.get_by_label("Further options")

    said = []
    for text in ("[1]", '{"a": 1}', '{"b": "x"}', "{", '{"b": 2}'):
        further.fill(text)
        said.append(shown(page) or error_of(further))

    assert said == [
        "“Further options” must be an object.",
        "“Further options” must be an object without a.",
        "“Further options” must be a whole number.",
        "“Further options” must be valid JSON.",
        {"b": 2},
    ]


def test_the_language_can_be_switched(opened: Opening) -> None:
    """Labels, the page's own words and the messages that are there already; what was filled in stays."""
    english = StrategyMeta(name="english", label={"en_US": "English only"}, config_schema={"type": "integer"})
    page = opened(("cache", CACHE), ("english", english))
    page.get_by_label("Seconds kept").fill("0")
    page.get_by_role("button", name="Add to “Tags”").click()
    assert shown(page) is None
    assert page.get_by_label("Seconds kept").evaluate("node => node === document.activeElement")  # the topmost error

    page.get_by_role("button", name="简体中文").click()

    seconds = page.get_by_label("保留秒数")
    assert seconds.input_value() == "0"
    assert error_of(seconds) == "“保留秒数”必须大于或等于 1。"
    assert error_of(page.get_by_role("textbox", name="标签 1")) == "“标签 1”为必填项。"
    assert page.get_by_role("alert").first.inner_text() == "有 2 个字段尚未有效，没有可显示的选项。"
    assert page.locator("section").evaluate_all("all => all.map((one) => one.lang)") == ["zh-Hans", "en-US"]
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.title() == "策略选项 – mine"
    assert page.get_by_role("button", name="简体中文").get_attribute("aria-pressed") == "true"
    assert page.locator("#p2 [type=submit]").inner_text() == "Show options"
    page.get_by_role("button", name="添加到“标签”").click()
    assert page.get_by_role("textbox", name="标签 2").is_visible()

    page.get_by_role("button", name="English").click()
    assert error_of(page.get_by_label("Seconds kept")) == "“Seconds kept” must be at least 1."


def test_the_keyboard_is_enough(opened: Opening) -> None:
    """From the top of the page to the options, and to another language."""
    page = opened(("cache", CACHE))

    def go_to(name: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).innerText").startswith(
                name
            ):
                return
        pytest.fail(f"no way to {name}")

    go_to("简体中文")
    page.keyboard.press("Enter")
    go_to("保留秒数")
    page.keyboard.type("9")
    go_to("级别")
    page.keyboard.press("h")
    go_to("在运行之间共享")
    page.keyboard.press("Space")
    go_to("添加到“标签”")
    page.keyboard.press("Enter")
    page.keyboard.type("t")
    go_to("移除")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.innerText") == "添加到“标签”"
    go_to("显示选项")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    page.keyboard.press("Enter")

    assert outline == "solid"
    assert json.loads(page.locator("output").inner_text()) == {
        "seconds": 9,
        "level": "high",
        "shared": True,
        "tags": [],
        "limits": {},
    }


def test_enter_in_a_field_asks_for_the_options(opened: Opening) -> None:
    """As in any form; and the page stays where it is."""
    page = opened(("cache", CACHE))

    page.get_by_label("Seconds kept").fill("3")
    page.get_by_label("Seconds kept").press("Enter")

    assert json.loads(page.locator("output").inner_text())["seconds"] == 3


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_scrolls_sideways_and_nothing_is_faint(opened: Opening, width: int) -> None:
    """With long words, with every kind of field, with errors, in light and in dark."""
    everything = StrategyMeta(
        name=LONG, label={"en_US": LONG}, icon=LONG, config_schema=msgspec.json.schema(Everything)
    )
    broken = StrategyMeta(name="b", label={"en_US": "B"}, config_schema={"type": LONG})
    options = {"type": "object", "properties": {LONG: {"type": "string", "default": LONG}}}
    for scheme in ("light", "dark"):
        page = opened(
            *of_schema(options),
            ("everything", everything),
            ("broken", broken),
            ("cache", CACHE),
            viewport={"width": width, "height": 800},
            color_scheme=scheme,
        )
        for button in page.locator("[data-add]").all():
            button.click()
        for toggle in page.locator("[data-toggle]").all():
            toggle.check()
        for button in page.get_by_role("button", name="Show options").all():
            button.click()

        assert page.locator(".error:visible").count() > 20
        assert page.locator("output").first.inner_text().count(LONG) == 2
        assert overflow(page) == 0
        assert page.evaluate(TOO_FAINT) == []


def test_a_script_in_a_text_stays_text(opened: Opening) -> None:
    """In a label, in a default, in a message, and in what is given back."""
    script = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    schema = {"type": "object", "properties": {script: {"type": "string", "default": script, "maxLength": 9}}}
    page = opened(*of_schema(schema, label={"en_US": script}, icon=script, description={"en_US": script}))

    assert shown(page) is None
    assert page.locator(".error:visible").inner_text() == f"“{script}” must be at most 9 character(s) long."
    assert page.get_by_role("heading", level=2).inner_text() == script
    page.get_by_role("textbox", name=script).fill("<b>")
    assert shown(page) == {script: "<b>"}
    assert page.locator("img, b").count() == 0


def test_a_pattern_of_another_dialect_is_said_to_be_unchecked(opened: Opening) -> None:
    """Python's own, say."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": r"(?P<x>a)\Z"}}}
    page = opened(*of_schema(schema))
    page.get_by_label("a").fill("b")

    assert page.locator("[data-unchecked]").inner_text() == (
        r"The schema asks for more than this page can check: pattern (?P<x>a)\Z."
    )
    assert shown(page) == {"a": "b"}
