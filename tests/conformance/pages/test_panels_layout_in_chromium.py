"""The layout of the page of panels in a real browser: on narrow and broad screens, in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import pytest

from loopspec.contract.plugins import StrategyMeta

from ..strategies import CACHE, Everything, of_schema
from .browsing import BROAD, NARROW, Scheme, expect, overflow

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

Opening = Callable[..., "Page"]
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3

# Every visible text with less contrast to its background than WCAG AA requires.
TOO_FAINT = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parts = (color) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => {
    const [r, g, b] = parts(color).map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (parts(color)[3] === 255) return color;
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, BROAD])
def test_nothing_scrolls_sideways_and_nothing_is_faint(opened: Opening, width: int, scheme: Scheme) -> None:
    """With long words, with every kind of field, and with errors."""
    everything = StrategyMeta(
        name=LONG, label={"en_US": LONG}, icon=LONG, config_schema=msgspec.json.schema(Everything)
    )
    broken = StrategyMeta(name="b", label={"en_US": "B"}, config_schema={"type": LONG})
    options = {"type": "object", "properties": {LONG: {"type": "string", "default": LONG}}}
    page = opened(
        *of_schema(options),
        ("everything", everything),
        ("broken", broken),
        ("cache", CACHE),
        width=width,
        scheme=scheme,
    )
    for button in page.locator("[data-add]").all():
        button.click()
    for toggle in page.locator("[data-toggle]").all():
        toggle.check()
    for button in page.get_by_role("button", name="Show options").all():
        button.click()

    expect(page.locator(".error:visible").nth(20)).to_be_visible()
    expect(page.locator("output").first).to_have_text(re.compile(f"{LONG}.*{LONG}"))
    assert overflow(page) == 0
    assert page.evaluate(TOO_FAINT) == []
