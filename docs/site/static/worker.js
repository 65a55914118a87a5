// Runs the specification's Python, so that the page never freezes. It is started from a blob: in a
// page that was opened from a folder a worker may not be read from a file, and neither may anything
// that it would fetch; so the page hands it everything.
const bytes = {};

function served(url) {
  const name = String(url).split("/").pop();
  if (!(name in bytes)) return Promise.reject(new Error(`nothing is fetched from outside: ${url}`));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return Promise.resolve(new Response(bytes[name], { headers: { "Content-Type": type } }));
}
self.fetch = served;

function asModule(code) {
  return import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
}

async function start(files) {
  Object.assign(bytes, files);
  const text = (name) => new TextDecoder().decode(bytes[name]);
  const { loadPyodide } = await asModule(text("pyodide.mjs"));
  const { default: createPyodideModule } = await asModule(text("pyodide.asm.mjs"));
  const python = await loadPyodide({
    indexURL: "https://folder.invalid/",
    createPyodideModule,
    lockFileContents: JSON.parse(text("pyodide-lock.json")),
  });
  python.unpackArchive(bytes["evenkeel.zip"], "zip", { extractDir: "/evenkeel" });
  python.runPython("import sys; sys.path.insert(0, '/evenkeel')");
  return python.runPython("from browser.calls import call; call");
}

let started;

self.onmessage = async ({ data }) => {
  if (data.files) {
    started = start(data.files);
    started.then(
      () => self.postMessage({ ready: true }),
      (error) => self.postMessage({ failed: String(error) }),
    );
    return;
  }
  try {
    const call = await started;
    self.postMessage({ id: data.id, answer: JSON.parse(call(data.name, data.argument)) });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error.message || error) });
  }
};
