// Runs before the first paint: lays theme, text size and stillness on the page, so that nothing flashes, and takes away
// the sentence for browsers that are too old, among them those that cannot even read this.
{
  const page = document.documentElement;
  let liked = {};
  try {
    liked = JSON.parse(localStorage.getItem("digside") || "{}");
  } catch {
    // what cannot be read is as good as nothing
  }
  const bright = matchMedia("(prefers-color-scheme: light)");
  const light = (theme) => {
    page.dataset.theme = (theme ?? (bright.matches ? "day" : "lamplight")) === "day" ? "day" : "lamplight";
  };
  light(liked.theme);
  // The device's own light may change with the evening; who has chosen one keeps it.
  bright.addEventListener?.("change", () => {
    try {
      light(JSON.parse(localStorage.getItem("digside") || "{}").theme);
    } catch {
      light(undefined);
    }
  });
  page.dataset.text = liked.text === "big" ? "big" : "normal";
  page.dataset.motion = liked.motion === "off" ? "off" : "on";
  // Who has these two has all that the screens cannot do without.
  if ("at" in Array.prototype && window.HTMLDialogElement?.prototype.showModal) page.dataset.able = "";
}
