// Dialogs, and short messages at the foot of the page.
const dialog = document.getElementById("dialog");
const toasts = document.getElementById("toasts");

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
  await window.htmx.ajax("GET", address, { target: dialog, swap: "innerHTML" });
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("[autofocus]")?.focus();
}

export function toast(words) {
  const message = document.createElement("div");
  message.className = "toast";
  message.textContent = words;
  toasts.append(message);
  setTimeout(() => message.remove(), 6000);
}

export function isTyping(element) {
  return element.closest?.("input, textarea, select, [contenteditable]") !== null;
}
