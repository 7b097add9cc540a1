// For browsers without container units: each box that others are measured by tells them a hundredth of its own size.
const known = new WeakSet();
const sizes = new ResizeObserver((boxes) => {
  for (const { target, contentRect } of boxes) {
    target.style.setProperty("--cqw", `${contentRect.width / 100}px`);
    target.style.setProperty("--cqh", `${contentRect.height / 100}px`);
  }
});

function look() {
  for (const box of document.querySelectorAll("[data-measure]")) {
    if (known.has(box)) continue;
    known.add(box);
    sizes.observe(box);
  }
}

/** From now on whatever has `data-measure` is measured. */
export function measure() {
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
}
