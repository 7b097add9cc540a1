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
  const bright = matchMedia("(prefers-color-scheme: light)").matches;
  page.dataset.theme = (liked.theme ?? (bright ? "day" : "lamplight")) === "day" ? "day" : "lamplight";
  page.dataset.text = liked.text === "big" ? "big" : "normal";
  page.dataset.motion = liked.motion === "off" ? "off" : "on";
  // Who has these two has all that the screens cannot do without.
  if ("at" in Array.prototype && window.HTMLDialogElement?.prototype.showModal) page.dataset.able = "";
}
