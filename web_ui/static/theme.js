// Runs before the first paint: lays theme, text size and stillness on the page, so that nothing flashes.
(function () {
  var page = document.documentElement;
  var liked = {};
  try {
    liked = JSON.parse(localStorage.getItem("digside") || "{}");
  } catch (unreadable) {
    liked = {};
  }
  page.dataset.theme = liked.theme === "day" ? "day" : "lamplight";
  page.dataset.text = liked.text === "big" ? "big" : "normal";
  page.dataset.motion = liked.motion === "off" ? "off" : "on";
})();
