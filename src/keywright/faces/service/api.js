// The page works without this file, which adds a form to each address that sends a request and shows the answer.
"use strict";

for (const form of document.querySelectorAll(".try")) {
  const status = form.querySelector("[role=status]");
  const shown = form.querySelector("pre");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { method, type } = form.dataset;
    const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements[name].value));
    const request = { method };
    if (type === "multipart/form-data") request.body = new FormData(form);
    else if (type) Object.assign(request, { body: form.querySelector("textarea").value, headers: { "Content-Type": type } });
    status.textContent = "Working";
    try {
      const answer = await fetch(path.slice(1), request);
      const body = await answer.text();
      const json = /json$/.test(answer.headers.get("Content-Type")?.split(";")[0] ?? "") && !type.includes("ndjson");
      shown.textContent = json ? JSON.stringify(JSON.parse(body), null, 2) : body;
      shown.hidden = false;
      status.textContent = `${answer.status} ${answer.statusText}`.trim();
    } catch (error) {
      shown.hidden = true;
      status.textContent = `No answer from the service: ${error.message}`;
    }
  });
}
