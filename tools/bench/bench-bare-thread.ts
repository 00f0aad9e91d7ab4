import { parentPort, workerData } from "node:worker_threads";
import { networkRuns } from "./bench-bare.ts";

// One of two threads that run the networks of a film side by side: says so when it is ready and whenever its share of
// so many runs is done.

const { packFolder, parity } = workerData as { readonly packFolder: string; readonly parity: number };
const { runs } = await networkRuns(packFolder, 1);

parentPort?.on("message", (count: number) => {
  void (async () => {
    for (let number = parity; number < count; number += 2) await runs[number]?.();
    parentPort?.postMessage("done");
  })();
});
parentPort?.postMessage("ready");
