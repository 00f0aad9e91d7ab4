import { parentPort, workerData } from "node:worker_threads";
import { networkRuns } from "./bench-bare.ts";

// One of two threads that run the networks of a film side by side: says so when it is ready and whenever its runs are done.

const { packFolder, numbers } = workerData as { readonly packFolder: string; readonly numbers: readonly number[] };
const { runs } = await networkRuns(packFolder, 1);

parentPort?.on("message", () => {
  void (async () => {
    for (const number of numbers) await runs[number]?.();
    parentPort?.postMessage("done");
  })();
});
parentPort?.postMessage("ready");
