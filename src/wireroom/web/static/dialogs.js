// Dialogs: pages with a form that are shown over the list.
import { ask } from "./ask.js";

const dialog = document.getElementById("dialog");

export function listenToDialogs() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("a[data-dialog]");
    if (opener && dialog && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      openDialog(opener.getAttribute("href"));
    }
    if (event.target.closest("[data-close-dialog]") && dialog?.open) {
      event.preventDefault();
      dialog.close();
    }
    if (event.target instanceof HTMLDialogElement) event.target.close(); // the backdrop
  });
}

export async function openDialog(address) {
  const answer = await ask(address);
  if (!answer) return;
  dialog.innerHTML = await answer.text();
  window.htmx?.process(dialog);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("[autofocus]")?.focus();
}

export function isTyping(element) {
  return element.closest?.("input, textarea, select, [contenteditable]") !== null;
}
