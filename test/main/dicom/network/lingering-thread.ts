import { serveThread } from "../../../../main/workers/serve-thread.ts";

// A thread that keeps counting after its response instead of exiting.

export type LingeringCalls = {
  readonly linger: { readonly request: { readonly counter: Int32Array }; readonly answer: null };
};

serveThread<LingeringCalls>({
  linger: ({ counter }) => {
    setInterval(() => Atomics.add(counter, 0, 1), 20);
    return null;
  },
});
