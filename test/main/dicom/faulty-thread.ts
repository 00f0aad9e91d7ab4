import { AppError } from "../../../core/app-error.ts";
import type { ReaderCalls } from "../../../main/dicom/reader-calls.ts";
import { serveThread } from "../../../main/workers/serve-thread.ts";

// Replaces the reader thread in tests and fails in the way that the first byte of the request states.

const done = () => new AppError("UNSUPPORTED_DICOM", "done in time");
const unasked = () => {
  throw new Error("this thread serves frames only");
};

serveThread<ReaderCalls>({
  contents: unasked,
  excerpt: unasked,
  deidentified: unasked,
  frame: ({ bytes }, call) => {
    switch (String.fromCharCode(bytes[0] ?? 0)) {
      case "h":
        for (;;); // hangs
      case "x":
        return process.exit(3);
      case "t":
        setImmediate(() => {
          throw new Error("an uncaught error");
        });
        return new Promise(() => undefined);
      case "m": {
        const kept: number[][] = [];
        for (;;) kept.push(Array<number>(500_000).fill(1));
      }
      // falls through
      case "l":
        call.progress({ pixels: 2e6 });
        throw done();
      default:
        throw done();
    }
  },
});
