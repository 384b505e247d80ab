// New entries without reloading. The stream only says that something happened; this asks what.
import { ask } from "./ask.js";
import { showCounts } from "./counts.js";
import { showTimes } from "./times.js";
import { toast } from "./toasts.js";

const body = document.body;
const list = document.getElementById("list");
const pill = document.getElementById("pill");
const seen = document.querySelector("#mark-all [name=seen]");
const dot = document.getElementById("live-dot");
let waiting = []; // rows that came while somebody was reading further down
let waitingSeen = null;
let tooMany = false;

export function listenToNews() {
  const stream = new EventSource(`/live?since=${encodeURIComponent(body.dataset.pulse)}`);
  stream.onopen = () => live(true);
  stream.onerror = () => live(false);
  stream.addEventListener("news", lookForNews);
  addEventListener("pagehide", () => stream.close());
  document.getElementById("refresh")?.addEventListener("submit", (event) => {
    event.preventDefault();
    askForNews();
  });
  pill.addEventListener("click", () => {
    if (tooMany) return location.reload();
    scroller().scrollTo({ top: 0 });
    insert();
  });
}

function live(on) {
  dot.classList.toggle("is-live", on);
  dot.title = on ? "Connected: news appears by itself" : "Not connected";
}

// Lets publishers be asked; what they have comes over the stream.
export async function askForNews() {
  const form = document.getElementById("refresh");
  const answer = form && (await ask(form.getAttribute("action"), new URLSearchParams()));
  if (answer) toast(await answer.text());
}

async function lookForNews() {
  const answer = await ask("/news", new URLSearchParams({ seen: waitingSeen ?? seen.value, show: body.dataset.show }));
  if (!answer) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const news = page.querySelector("[data-seen]");
  showCounts(JSON.parse(news.dataset.unread), { all: true });
  if (body.dataset.grows === "0") return; // what arrives is no favourite and carries no label yet
  if (tooMany || news.dataset.tooMany === "1") {
    tooMany = true; // what is not shown must not be marked as seen: draw the list anew instead
    return offer();
  }
  waitingSeen = news.dataset.seen;
  waiting = [...news.children].filter((row) => !document.getElementById(row.id)).concat(waiting);
  if (waiting.length === 0) seen.value = waitingSeen;
  else if (scroller().scrollTop < 40) insert();
  else offer();
}

function insert() {
  const rows = waiting.map((row) => document.adoptNode(row));
  const before = scroller().scrollTop;
  for (const row of rows) row.classList.add("is-new");
  list.querySelector(".empty")?.remove();
  list.prepend(...rows);
  showTimes(list);
  scroller().scrollTop = before;
  seen.value = waitingSeen; // they have been shown now, so "mark all read" may cover them
  waiting = [];
  pill.hidden = true;
}

function offer() {
  pill.textContent = tooMany ? "Many new entries" : waiting.length === 1 ? "1 new entry" : `${waiting.length} new entries`;
  pill.hidden = false;
}

// On a phone the page scrolls, else the list does.
function scroller() {
  return getComputedStyle(list).overflowY === "visible" ? document.scrollingElement : list;
}
