// Draws Mermaid's diagrams, from a copy next to the page, in the page's colours.
"use strict";

(() => {
  const dark = () => {
    const theme = document.body.dataset.theme;
    if (theme === "dark" || theme === "light") return theme === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  };

  async function draw(diagrams) {
    window.mermaid.initialize({
      startOnLoad: false,
      theme: dark() ? "dark" : "neutral",
      fontFamily: "inherit",
      securityLevel: "strict",
    });
    for (const diagram of diagrams) {
      diagram.dataset.code ??= diagram.textContent;
      diagram.textContent = diagram.dataset.code;
      delete diagram.dataset.processed;
    }
    await window.mermaid.run({ nodes: diagrams });
  }

  document.addEventListener("DOMContentLoaded", async () => {
    const diagrams = [...document.querySelectorAll("pre.mermaid")];
    if (!diagrams.length) return;
    await evenkeel.script("mermaid.min.js");
    await draw(diagrams);
    new MutationObserver(() => draw(diagrams)).observe(document.body, {
      attributeFilter: ["data-theme"],
    });
  });
})();
