import { parentPort } from "node:worker_threads";
import type { ReaderRequest } from "../../../main/dicom/reader-messages.ts";

// Stands in for a reading thread that goes wrong: the first byte of what it is asked says how.

const done = { kind: "failure", code: "UNSUPPORTED_DICOM", message: "done in time", isSpent: false };
parentPort?.postMessage({ kind: "started" });
parentPort?.on("message", ({ bytes }: ReaderRequest) => {
  switch (String.fromCharCode(bytes[0] ?? 0)) {
    case "h":
      for (;;); // hangs
    case "x":
      process.exit(3);
      break;
    case "t":
      throw new Error("a fault that nobody catches");
    case "m": {
      const kept: number[][] = [];
      for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => index));
    }
    // falls through
    case "s":
      parentPort?.postMessage(done);
      break;
    case "l":
      // A picture of two megapixels that takes longer than a small one may.
      parentPort?.postMessage({ kind: "checked", pixels: 2e6 });
      setTimeout(() => parentPort?.postMessage(done), 3500);
  }
});
