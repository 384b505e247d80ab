// Asks the browser's authenticator and sends its answer with the form around the button.
for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("button");
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
    button.disabled = true;
    button.title = "This browser cannot use passkeys here.";
    continue;
  }
  form.addEventListener("submit", async (event) => {
    if (form.elements.passkey.value) return;
    event.preventDefault();
    try {
      const answer = await ask(form.dataset.passkey, JSON.parse(form.dataset.options));
      form.elements.passkey.value = JSON.stringify(answer.toJSON());
      form.submit();
    } catch (error) {
      form.querySelector("[role=alert]").textContent =
        error.name === "NotAllowedError" ? "Nothing was chosen. Try again." : error.message;
    }
  });
}

function ask(what, options) {
  return what === "create"
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}
