// Comfort for the reader: everything here has a form or a link that does the same without it.
import { showTimes } from "./times.js";
import { listenToEntries } from "./entries.js";
import { listenToKeys } from "./keys.js";
import { listenToNews } from "./news.js";
import { listenToDialogs } from "./dialogs.js";
import { toast } from "./toasts.js";
import { offerPush, remindServer } from "./push.js";

showTimes(document);
setInterval(() => showTimes(document), 60_000);
listenToDialogs();
offerPush();

if (document.body.classList.contains("reader")) {
  listenToEntries();
  listenToKeys();
  listenToNews();
  rememberShelf();
  remindServer().catch(() => {}); // the next page tries again
}

document.documentElement.dataset.script = "runs";

document.addEventListener("htmx:afterSwap", (event) => {
  dropRepeated();
  showTimes(event.detail.elt.closest?.("#list") ?? document);
});
document.addEventListener("htmx:responseError", (event) => {
  const { status, responseText, getResponseHeader } = event.detail.xhr;
  toast(status === 401 ? "You have been logged out." : responseText.slice(0, 300) || "That did not work.");
});
document.addEventListener("htmx:sendError", () => toast("Wireroom does not answer. Is it running?"));

// News that was put on top comes again further down when the list is read that far.
function dropRepeated() {
  const met = new Set();
  for (const row of document.querySelectorAll("#list > .row")) {
    if (met.has(row.id)) row.remove();
    met.add(row.id);
  }
}

function rememberShelf() {
  const feeds = document.querySelector(".feeds");
  feeds.scrollTop = Number(sessionStorage.getItem("shelf") ?? 0);
  addEventListener("pagehide", () => sessionStorage.setItem("shelf", feeds.scrollTop));
}

