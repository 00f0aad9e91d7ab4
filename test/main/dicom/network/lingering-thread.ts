import { serveThread } from "../../../../main/workers/serve-thread.ts";

// A thread that keeps running after its response instead of exiting.

export type LingeringCalls = { readonly linger: { readonly request: null; readonly answer: null } };

serveThread<LingeringCalls>({
  linger: () => {
    setInterval(() => undefined, 20);
    return null;
  },
});
