import { parentPort } from "node:worker_threads";

// Stands in for a receiver's thread that answers for a while and then never again.

let answers = 0;
parentPort?.postMessage({ kind: "listening", port: 1 });
parentPort?.on("message", (order: string) => {
  if (order === "close" || answers === 3) for (;;); // hangs
  answers += 1;
  parentPort?.postMessage({ kind: "alive" });
});
