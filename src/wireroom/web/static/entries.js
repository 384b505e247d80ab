// Opening entries in the pane, and saying things about them. What is said shows at once and is
// taken back if the server refuses.
import { ask } from "./ask.js";
import { showCounts } from "./counts.js";
import { showTimes } from "./times.js";

const body = document.body;
const pane = document.getElementById("article");
let scrolled = 0;

export function listenToEntries() {
  history.replaceState({ entry: openedKey() }, "");
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target.closest(".row-link");
    const player = event.target.closest(".body a.player");
    if (player) {
      event.preventDefault();
      return play(player);
    }
    const close = event.target.closest("[data-close]");
    if (link) {
      event.preventDefault();
      openEntry(link.closest(".row"));
    } else if (close && close.matches("#article *")) {
      event.preventDefault();
      closeEntry();
    }
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-say]");
    if (!form || !event.submitter) return;
    event.preventDefault();
    const key = form.closest("[data-entry]").dataset.entry;
    say(key, { [event.submitter.name]: event.submitter.value === "1" });
  });
  addEventListener("popstate", (event) => {
    if (event.state === null) return; // only the #fragment changed
    if (event.state.entry) show(event.state.entry);
    else leave();
  });
  if (openedKey()) opened(openedKey());
}

export function currentRow() {
  return document.querySelector("#list .row.is-open") ?? document.activeElement?.closest?.(".row");
}

export function openedKey() {
  return pane.querySelector("[data-entry]")?.dataset.entry ?? null;
}

export function openEntry(row) {
  const key = row.dataset.entry;
  const address = new URL(body.dataset.list, location.origin);
  address.searchParams.set("entry", key.replace("/", "."));
  const state = { entry: key };
  if (history.state?.entry) history.replaceState(state, "", address);
  else {
    scrolled = scrollY;
    history.pushState(state, "", address);
  }
  return show(key);
}

export function closeEntry() {
  if (!openedKey()) return;
  history.replaceState({ entry: null }, "", body.dataset.list);
  leave();
}

async function show(key) {
  mark(key);
  const answer = await ask(`/entry/${key}`);
  if (!answer || mark.key !== key) return;
  pane.innerHTML = await answer.text();
  window.htmx?.process(pane);
  body.classList.add("has-entry");
  pane.scrollTop = 0;
  if (getComputedStyle(document.querySelector(".list-pane")).display === "none") scrollTo(0, 0);
  showTimes(pane);
  opened(key);
}

function opened(key) {
  mark(key);
  const unread = pane.querySelector(".article.is-unread");
  if (unread && body.dataset.marksOnOpen === "1") say(key, { is_read: true });
}

function mark(key) {
  mark.key = key;
  for (const row of document.querySelectorAll("#list .row.is-open")) row.classList.remove("is-open");
  const row = rowOf(key);
  row?.classList.add("is-open");
  row?.scrollIntoView({ block: "nearest" });
}

function leave() {
  const row = rowOf(openedKey());
  mark.key = null;
  pane.replaceChildren(document.getElementById("blank").content.cloneNode(true));
  body.classList.remove("has-entry");
  row?.classList.remove("is-open");
  row?.querySelector("a").focus({ preventScroll: true });
  scrollTo(0, scrolled);
}

const rowOf = (key) => key && document.querySelector(`#list .row[data-entry="${CSS.escape(key)}"]`);

// Only now is the player's site told that somebody reads this.
function play(link) {
  const frame = document.createElement("iframe");
  frame.src = link.href;
  frame.title = link.textContent;
  frame.allowFullscreen = true;
  frame.referrerPolicy = "no-referrer";
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-popups allow-presentation");
  link.replaceWith(frame);
}

// -- what is said ---------------------------------------------------------------------------------

export async function say(key, change) {
  const before = stateOf(key);
  paint(key, { ...before, ...change });
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(change)) form.set(name, value ? "1" : "0");
  const answer = await ask(`/entry/${key}`, form);
  if (!answer) return paint(key, before);
  const { unread, ...state } = await answer.json();
  paint(key, state);
  showCounts(unread);
}

export function stateOf(key) {
  const element = rowOf(key) ?? pane.querySelector(".article");
  return {
    is_read: !element.classList.contains("is-unread"),
    is_favorite: element.classList.contains("is-favorite"),
  };
}

function paint(key, state) {
  const elements = [rowOf(key), openedKey() === key ? pane.querySelector(".article") : null];
  for (const element of elements.filter(Boolean)) {
    element.classList.toggle("is-unread", !state.is_read);
    element.classList.toggle("is-favorite", state.is_favorite);
    element.querySelector(".row-title > .sr")?.toggleAttribute("hidden", state.is_read);
    press(element.querySelector(".star"), state.is_favorite);
    press(element.querySelector(".toggle-read"), state.is_read);
  }
}

function press(button, on) {
  button?.setAttribute("aria-pressed", String(on));
  if (button) button.value = on ? "0" : "1";
}
