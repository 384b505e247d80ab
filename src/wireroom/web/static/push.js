// Web Push: a switch on the settings page, and a reminder to the server after each log-in.
import { toast } from "./toasts.js";

const isPossible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function send(what, endpoint) {
  const body = new URLSearchParams({ endpoint });
  const headers = { "x-csrf-token": document.body.dataset.csrf };
  const answer = await fetch(`/push/${what}`, { method: "POST", body, headers });
  if (!answer.ok) throw new Error(await answer.text());
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("The browser does not allow notifications from here.");
  await navigator.serviceWorker.register("/service-worker.js");
  const registration = await navigator.serviceWorker.ready;
  const { key } = await (await fetch("/push/key")).json();
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await send("register", made.endpoint);
}

async function switchOff() {
  const known = await subscription();
  if (!known) return;
  await send("unregister", known.endpoint);
  await known.unsubscribe();
}

// The server forgets a device with its session; the browser keeps the subscription.
export async function remindServer() {
  if (!isPossible || sessionStorage.getItem("push") || Notification.permission !== "granted") return;
  const known = await subscription();
  if (known) await send("register", known.endpoint);
  sessionStorage.setItem("push", "known");
}

export async function offerPush() {
  const button = document.getElementById("push");
  if (!button) return;
  const said = document.getElementById("push-said");
  if (!isPossible) {
    said.textContent = "This browser cannot be woken from here: that takes https and a browser with Web Push.";
    return;
  }
  const show = async () => {
    const isOn = Boolean(await subscription());
    button.textContent = isOn ? "Stop waking this browser" : "Wake this browser";
    button.setAttribute("aria-pressed", String(isOn));
    button.hidden = false;
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await (button.getAttribute("aria-pressed") === "true" ? switchOff() : switchOn());
    } catch (error) {
      toast(error.message || "That did not work.");
    }
    button.disabled = false;
    await show();
  });
  await show();
}
