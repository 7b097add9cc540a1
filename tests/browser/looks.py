"""Looking at a page in both lights: axe finds nothing grave, and a picture is kept in output/screens for the eye."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

from tests.browser.tables import ROOT

PICTURES = ROOT / "output" / "screens"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FRAMES = (Path(__file__).parent / "frames.js").read_text(encoding="utf-8")
MEASURE = FRAMES[FRAMES.index("() => {") :]
"""What is cut off, lies over something else, or leaves its frame."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_LIGHT = ["color-contrast", "link-in-text-block"]
"""The only rules that ask what colour something is: all others find in one light what they find in the other."""
THEMES = {"lamplight": RULES, "day": OF_LIGHT}
DAY_ALONE = {"day": RULES}
IS_SMALL = "innerWidth < 600"
RUN = """async (rules) => {
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ["violations"], preload: false });
  const where = (nodes) => nodes.map((node) => node.target.join()).join(" | ");
  const why = (nodes) => nodes[0].failureSummary.split("\\n").at(-1);
  return violations.map(({ id, impact, nodes }) => [id, impact, nodes.length, where(nodes), why(nodes)]);
}"""
SETTLED = """async () => {
  const finite = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime < Infinity);
  finite.forEach((each) => each.finish());
  await document.fonts.ready;
  const near = [...document.images].filter((each) => each.getBoundingClientRect().top < 2 * innerHeight);
  await Promise.all(near.map((each) => each.decode().catch(() => null)));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
UNFILLED = """() => [...document.querySelectorAll("body, [aria-label], [alt], [title]")].flatMap((each) => [
  each === document.body ? each.innerText : "",
  ...["aria-label", "alt", "title"].map((name) => each.getAttribute(name) ?? ""),
]).filter((said) => /\\{\\w+[:}]|\\b(?:ui|core|web|pieces|evening|log|name)\\.[a-z]\\w*\\b/.test(said))"""
"""Sentences that lack a fact, or are missing: a slot, or a key, stands there as it is written in the catalogue."""
UNMEANT = r"""() => {
  const never = /\b(?:Infinity|NaN|undefined|null)\b|\[object/;
  const found = [];
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const at = walk.currentNode;
    if (at.nodeType === Node.TEXT_NODE) {
      const german = document.documentElement.lang === "de" && /[a-zäöü] null [a-zäöü]/.test(at.data);
      if (!german && never.test(at.data) && !at.parentElement.closest("script, style")) found.push(at.data.trim());
    } else
      for (const { name, value } of at.attributes)
        if (never.test(value) && name !== "src" && name !== "href") found.push(`${at.localName} ${name}=${value}`);
  }
  return found;
}"""
"""What a script shows where it knows nothing: in no text, and in no attribute, of a drawing neither."""
Violations = list[tuple[str, str, int, str, str]]


def found(page: Page, rules: Sequence[str] = RULES) -> Violations:
    """What axe finds. It is put in past the page's policy, which lets no foreign script run."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: Violations = page.evaluate(RUN, rules)
    return violations


def settle(page: Page) -> None:
    """Until nothing moves any more, and letters and pictures are there."""
    page.evaluate(SETTLED)


def keep(page: Page, *names: str) -> None:
    """A picture of the whole page. A picture of nothing, or one that is cut off at a side, is none."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    settle(page)
    file = PICTURES / f"{'-'.join(names)}.jpeg"
    whole = "table" not in names or page.evaluate(IS_SMALL)
    page.screenshot(path=file, quality=90, full_page=whole, animations="disabled", caret="hide")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it runs over the side"
    assert page.evaluate(UNFILLED) == []
    assert page.evaluate(UNMEANT) == []
    assert page.evaluate("[...document.fonts].filter((font) => font.status === 'loaded').length") >= 2


def lit(page: Page, theme: str) -> None:
    """The same page in another light, as its settings would put it."""
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    settle(page)


def look(page: Page, *names: str) -> None:
    """Axe and a picture: on a tablet in both lights, on a phone, which has the same colours, by day."""
    for theme, rules in (DAY_ALONE if page.evaluate(IS_SMALL) else THEMES).items():
        lit(page, theme)
        wrong = found(page, rules)
        assert wrong == [], (*names, theme, wrong)
        keep(page, *names, theme)


def also_upright(page: Page, *names: str) -> None:
    """A picture of the same page on a tablet that is turned, which is turned back."""
    was = page.viewport_size
    assert was is not None
    page.set_viewport_size(ViewportSize(width=was["height"], height=was["width"]))
    keep(page, *names, "upright")
    page.set_viewport_size(was)


def speak(page: Page, language: str, ready: str = "main") -> None:
    """The same page in another language, as its settings would put it; what was open on it is closed."""
    page.context.add_cookies([{"name": "language", "value": language, "url": page.url}])
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.wait_for_selector(ready)
    assert page.evaluate("document.documentElement.lang") == language
