// Woken by a push, which says that something arrived and not what.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => event.waitUntil(tell()));

async function tell() {
  const windows = await self.clients.matchAll({ type: "window" });
  if (windows.some((each) => each.visibilityState === "visible")) return; // it shows by itself there
  await self.registration.showNotification("Wireroom", { body: "Something new has come in.", tag: "news" });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open());
});

async function open() {
  const [first] = await self.clients.matchAll({ type: "window" });
  return first ? first.focus() : self.clients.openWindow("/?show=unread");
}
