import { toast } from "./toasts.js";

// A request in our own name; what went wrong is shown and gives null.
export async function ask(address, form) {
  try {
    const answer = await fetch(address, {
      method: form ? "POST" : "GET",
      body: form,
      headers: { "HX-Request": "true", "X-CSRF-Token": document.body.dataset.csrf },
    });
    if (answer.ok) return answer;
    if (answer.status === 401) location.assign("/login");
    toast((await answer.text()).slice(0, 300));
  } catch {
    toast("Wireroom does not answer. Is it running?");
  }
  return null;
}
