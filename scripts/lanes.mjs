import { spawn } from "node:child_process";

/**
 * Runs lanes of steps in parallel and the steps of a lane in sequence. Every step runs even if another failed, so that
 * one run reports all faults. A signal that ends this process also ends its steps with their child processes.
 *
 * @param lanes  lists of `{ title, command, args, options, mayFail, isShown }`, or of functions that return such lists
 *               and are called when their turn comes; the output of a step is printed when it ends, or live with
 *               `isShown`
 * @returns      0, or the status of the first step that failed
 */
export async function runLanes(lanes, root) {
  const running = new Set();
  const outcomes = [];
  let signal = null;
  let ending = [];
  const kill = () => ending.forEach((child) => endTree(child, "SIGKILL"));
  const end = (name) => {
    signal = name;
    ending = [...running];
    for (const child of ending) endTree(child, "SIGTERM");
    setTimeout(kill, 5000).unref();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => [name, () => end(name)]);
  for (const [name, listener] of signals) process.on(name, listener);
  const runLane = async (steps) => {
    for (const each of steps) {
      if (signal) return;
      if (typeof each === "function") await runLane(each());
      else outcomes.push(await runStep(each, root, running));
    }
  };
  try {
    await Promise.all(lanes.map(runLane));
  } finally {
    for (const [name, listener] of signals) process.off(name, listener);
  }
  // The first process of a group may have ended before the others.
  kill();
  if (signal) return signal === "SIGINT" ? 130 : 143;
  summarise(outcomes);
  return outcomes.find(({ status, mayFail }) => status !== 0 && !mayFail)?.status ?? 0;
}

function runStep({ title, command, args, options = {}, mayFail = false, isShown = false }, root, running) {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const output = isShown ? "inherit" : "pipe";
    // A separate process group can be ended with all its child processes.
    const detached = process.platform !== "win32";
    const child = spawn(command, args, { cwd: root, ...options, stdio: ["ignore", output, output], detached });
    running.add(child);
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => printed.push(chunk));
    const finish = (status) => {
      if (!running.delete(child)) return;
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const text = Buffer.concat(printed).toString();
      if (text !== "") process.stderr.write(`\n${title}:\n${text}`);
      resolve({ title, status, seconds, mayFail });
    };
    child.once("error", (error) => {
      printed.push(Buffer.from(`${error.message}\n`));
      finish(1);
    });
    child.once("close", (status) => finish(status ?? 1));
  });
}

function endTree({ pid }, signal) {
  try {
    if (process.platform === "win32") spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    else process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** Prints one line for all passed steps and one for each failed step. */
function summarise(outcomes) {
  const line = ({ title, seconds }) => `${title} ${seconds} s`;
  const passed = outcomes.filter(({ status }) => status === 0);
  const failed = outcomes.filter(({ status, mayFail }) => status !== 0 && !mayFail);
  if (passed.length > 0) process.stderr.write(`\nPassed: ${passed.map(line).join(", ")}\n`);
  for (const outcome of failed) process.stderr.write(`FAILED: ${line(outcome)}\n`);
}
