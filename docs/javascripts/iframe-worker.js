// Search works when the pages are opened from disk, where browsers start no worker: one runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      const frame = Object.assign(document.createElement("iframe"), { hidden: true });
      document.body.append(frame);
      this.inside = frame.contentWindow;
      // What the worker says comes out, and scripts that it loads follow one another as in a worker.
      const within = `
        window.postMessage = (said) => parent.dispatchEvent(new CustomEvent("worker-said", { detail: said }));
        window.importScripts = (...scripts) => scripts.reduce((before, script) => before.then(() =>
          new Promise((loaded) => {
            document.body.append(Object.assign(document.createElement("script"), { src: script, onload: loaded }));
          })), Promise.resolve());`;
      const { document: page } = this.inside;
      page.open();
      page.write(`<body><script>${within}</script><script src="${script}"></script></body>`);
      page.close();
      window.addEventListener("worker-said", ({ detail }) =>
        this.dispatchEvent(new MessageEvent("message", { data: detail })),
      );
    }

    postMessage(said) {
      const tell = () => this.inside.dispatchEvent(new MessageEvent("message", { data: said }));
      if (this.inside.document.readyState === "complete") tell();
      else this.inside.addEventListener("load", tell, { once: true });
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
