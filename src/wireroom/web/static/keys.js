// The keyboard. Single letters, never with a modifier, never while somebody types.
import { closeEntry, currentRow, openEntry, openedKey, say, stateOf } from "./entries.js";
import { isTyping, openDialog } from "./dialogs.js";
import { askForNews } from "./news.js";
import { toast } from "./toasts.js";

const places = { u: "/?show=unread", a: "/?show=all", f: "/?show=favorite", l: "/labels", s: "/settings" };
const once = new Set(["r", "A"]); // not again and again while the key is held
const patience = 5000; // milliseconds in which a second Shift+A counts as one
let going = -Infinity; // when "g" was pressed
let marking = -Infinity; // when Shift+A was pressed

const actions = {
  j: () => step(1),
  k: () => step(-1),
  o: () => withRow(openEntry),
  v: openOriginal,
  m: () => withKey((key) => say(key, { is_read: !stateOf(key).is_read })),
  s: () => withKey((key) => say(key, { is_favorite: !stateOf(key).is_favorite })),
  l: () => labelInput()?.focus(),
  r: askForNews,
  a: () => openDialog("/follow"),
  i: () => document.querySelector("[data-about]")?.click(),
  "/": () => location.assign("/search"),
  A: markAll,
  "?": () => document.getElementById("help").showModal(),
};

export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target === labelInput()) return event.target.blur();
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return closeShelf() || closeEntry();
    if (event.repeat && once.has(event.key)) return;
    const isGoing = event.timeStamp - going < 1500;
    going = -Infinity;
    if (isGoing && places[event.key]) location.assign(places[event.key]);
    else if (event.key === "g") going = event.timeStamp;
    else if (actions[event.key]) actions[event.key]();
    else return;
    event.preventDefault();
  });
}

function step(by) {
  const rows = [...document.querySelectorAll("#list > .row")];
  const at = rows.indexOf(currentRow());
  const row = rows[at < 0 ? 0 : at + by];
  if (!row) return;
  const older = document.querySelector(".older");
  if (older && rows.length - rows.indexOf(row) < 5) window.htmx?.trigger(older, "intersect");
  openEntry(row);
}

function withRow(action) {
  const row = currentRow();
  if (row) action(row);
}

function withKey(action) {
  const key = openedKey() ?? currentRow()?.dataset.entry;
  if (key) action(key);
}

function markAll() {
  const now = performance.now();
  if (now - marking < patience) return document.getElementById("mark-all").requestSubmit();
  marking = now;
  toast("Press Shift+A once more to mark everything in this list read.");
}

const labelInput = () => document.getElementById("label-input");

function openOriginal() {
  const address = document.querySelector("#article [data-original]")?.href ?? currentRow()?.querySelector("a").dataset.original;
  if (address) open(address, "_blank", "noopener,noreferrer");
}

function closeShelf() {
  if (location.hash !== "#shelf") return false;
  location.hash = "main";
  return true;
}
