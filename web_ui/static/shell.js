// The page that opens where the service does not answer: it says where it looks, and goes there as soon as it is heard.
const EVERY = 3000;

document.getElementById("where").textContent = location.host + location.pathname;

async function look() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.status < 500) location.reload();
  } catch {
    // Still away: it is looked again.
  }
}

setInterval(look, EVERY);
addEventListener("online", look);
