import { workerData } from "node:worker_threads";
import { AppError } from "../../../core/app-error.ts";
import { serveThread } from "../../../main/workers/serve-thread.ts";

// A thread that serves the calls of the tests.

export type EchoCalls = {
  readonly echo: { readonly request: unknown; readonly answer: unknown };
  readonly data: { readonly request: null; readonly answer: unknown };
  readonly count: { readonly request: number; readonly answer: number; readonly progress: number };
  readonly refuse: { readonly request: null; readonly answer: null };
  readonly fail: { readonly request: null; readonly answer: null };
  readonly end: { readonly request: null; readonly answer: null };
  readonly hang: { readonly request: null; readonly answer: never };
};

serveThread<EchoCalls>({
  echo: (request) => request,
  data: () => workerData as unknown,
  count: (to, call) => {
    for (let n = 1; n <= to; n++) call.progress(n);
    return to;
  },
  refuse: () => {
    throw new AppError("NOT_FOUND", "there is no such film");
  },
  fail: () => {
    throw new TypeError("a bug");
  },
  end: () => process.exit(3),
  hang: () => new Promise(() => undefined),
});
