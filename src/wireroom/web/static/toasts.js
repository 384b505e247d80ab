// Short messages at the foot of the page.
const toasts = document.getElementById("toasts");

export function toast(words) {
  const message = document.createElement("div");
  message.className = "toast";
  message.textContent = words;
  toasts.append(message);
  setTimeout(() => message.remove(), 6000);
}
