import { spawn } from "node:child_process";

/**
 * Runs lanes of steps side by side, the steps of a lane one after the other. What a step printed is shown when it has
 * ended, so that lanes do not talk into each other.
 *
 * @param lanes  each a list of `{ title, command, args, options, mayFail }`; a step may be a function that returns such a list,
 *   called when its turn comes
 * @returns      0, or the status of the first step that failed, which ends the others
 */
export async function runLanes(lanes, root) {
  const end = new AbortController();
  let failure = 0;
  const runLane = async (steps) => {
    for (const each of steps) {
      if (end.signal.aborted) return;
      if (typeof each === "function") {
        await runLane(each());
        continue;
      }
      const status = await runStep(each, root, end.signal);
      if (status === 0 || each.mayFail || end.signal.aborted) continue;
      failure = status;
      end.abort();
    }
  };
  await Promise.all(lanes.map(runLane));
  return failure;
}

function runStep({ title, command, args, options = {} }, root, signal) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { cwd: root, ...options, stdio: ["ignore", "pipe", "pipe"], signal });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
    child.once("error", (error) => (signal.aborted ? resolve(1) : reject(error)));
    child.once("close", (status) => {
      if (!signal.aborted) {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
        process.stderr.write(`${title}: ${seconds} s\n${Buffer.concat(printed).toString()}`);
      }
      resolve(status ?? 1);
    });
  });
}
