"""Looking at a page in both lights: axe finds nothing grave, and a picture is kept in output/screens for the eye."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.tables import ROOT

PICTURES = ROOT / "output" / "screens"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
THEMES = ("lamplight", "day")
RUN = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await axe.run(document, { runOnly: tags });
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
Violations = list[tuple[str, str, int, str, str]]


def found(page: Page) -> Violations:
    """What axe finds. It is put in past the page's policy, which lets no foreign script run."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: Violations = page.evaluate(RUN)
    return violations


def settle(page: Page) -> None:
    """Until nothing moves any more, and letters and pictures are there."""
    page.evaluate(SETTLED)


def keep(page: Page, *names: str) -> None:
    """A picture of the whole page. A picture of nothing, or one that is cut off at a side, is none."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    settle(page)
    file = PICTURES / f"{'-'.join(names)}.png"
    phone = page.evaluate("innerWidth < 600")
    page.screenshot(path=file, full_page=phone or "table" not in names, animations="disabled", caret="hide")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it runs over the side"
    assert page.evaluate("[...document.fonts].filter((font) => font.status === 'loaded').length") >= 2


def lit(page: Page, theme: str) -> None:
    """The same page in another light, as its settings would put it."""
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    settle(page)


def look(page: Page, *names: str) -> None:
    """Axe and a picture, in both lights."""
    for theme in THEMES:
        lit(page, theme)
        assert found(page) == [], (*names, theme)
        keep(page, *names, theme)
