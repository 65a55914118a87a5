// Loads Python and the specification when a page first asks something, and puts calls to them.
"use strict";

window.evenkeel = (() => {
  const here = document.currentScript.src.replace(/[^/]*$/, "");
  const waiting = new Map();
  let worker;
  let count = 0;
  let handOver; // What takes the files of the pack that is being loaded: one at a time.
  let turn = Promise.resolve();

  async function unpacked(text) {
    const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // The packed script calls this.
  function unpack(files) {
    const names = Object.keys(files);
    Promise.all(names.map((name) => unpacked(files[name]))).then((contents) =>
      handOver(Object.fromEntries(names.map((name, i) => [name, contents[i]]))),
    );
  }

  function script(name) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = here + name;
      element.onload = resolve;
      element.onerror = () => reject(new Error(`${name} is missing beside this page`));
      document.head.append(element);
    });
  }

  function packed(name) {
    const load = async () => {
      const files = new Promise((resolve) => (handOver = resolve));
      await script(name);
      return files;
    };
    turn = turn.then(load, load);
    return turn;
  }

  async function begin() {
    const given = await packed("runtime.js");
    const code = new TextDecoder().decode(given["worker.js"]);
    const address = `data:text/javascript,${encodeURIComponent(code)}`;
    const started = new Worker(address, { type: "module" });
    await new Promise((resolve, reject) => {
      started.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
      started.onmessage = ({ data }) =>
        data.ready ? resolve() : reject(new Error(data.failed));
      started.postMessage({ files: given });
    });
    started.onmessage = ({ data }) => {
      const { resolve, reject } = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) reject(new Error(data.error));
      else resolve(data.answer);
    };
    return started;
  }

  async function call(name, argument) {
    worker ??= begin();
    const started = await worker;
    const id = ++count;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      started.postMessage({ id, name, argument: JSON.stringify(argument) });
    });
  }

  return { call, script, unpack, packed, loaded: () => worker !== undefined };
})();
