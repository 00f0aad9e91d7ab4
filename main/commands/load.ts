import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { programDir } from "../program.ts";
import { runLoad, type LoadReport } from "./load-run.ts";
import { makeDataDir, startOwnService } from "./own-service.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `npm run load -- [--clients N] [--seconds N] [--soak]
Starts the service on a data directory of its own, asks it from many clients at once, and compares their answers with the ledger.
  --clients N  clients at a time (default 32)
  --seconds N  how long (default 60)
  --soak       2,000 predictions instead, however long they take`;

const soakPredictions = 2000;
/** Growth between the first and the last third of a run that counts as flat. */
const flat = { megabytes: 100, files: 20 };

runCommand("load", usage, async (args, print) => {
  const { values } = parseArgs({ args, options: { clients: { type: "string" }, seconds: { type: "string" }, soak: { type: "boolean", default: false } } });
  const films = ["dog-01.jpg", "dog-02.jpg", "dog-03.jpg"].map((file) => readFileSync(path.join(programDir, "test", "fixtures", "films", file), "base64"));
  const own = makeDataDir("load");
  const service = await startOwnService(own.dataDir);
  try {
    const report = await runLoad(service, own.dataDir, own.key, {
      clients: countOf(values.clients, 32), films,
      seconds: values.soak ? Number.POSITIVE_INFINITY : countOf(values.seconds, 60),
      predictions: values.soak ? soakPredictions : Number.POSITIVE_INFINITY,
    });
    print(JSON.stringify(report, null, 2));
    const faults = faultsOf(report);
    for (const fault of faults) print(`FAULT: ${fault}`);
    process.exitCode = faults.length > 0 ? 1 : 0;
  } finally {
    await service.stop();
    own.remove();
  }
});

function countOf(text: string | undefined, fallback: number): number {
  const count = Number(text ?? fallback);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`${text} is not a number of clients or seconds`);
  return count;
}

/** The rules that hold under any load. */
function faultsOf({ statuses, lost, surplus, isChainIntact, isRetryAfterPresent, early, late }: LoadReport): string[] {
  const unexpected = Object.keys(statuses).filter((status) => status !== "200" && status !== "429");
  return [
    ...unexpected.map((status) => `${statuses[status]} answers with status ${status}`),
    ...(lost > 0 ? [`${lost} charges lost`] : []),
    ...(surplus > 0 ? [`${surplus} charges too many`] : []),
    ...(isChainIntact ? [] : ["the ledger's chain does not verify"]),
    ...(isRetryAfterPresent ? [] : ["429 without Retry-After"]),
    ...(early && late && late.residentMegabytes - early.residentMegabytes > flat.megabytes ? [`memory grew from ${early.residentMegabytes} to ${late.residentMegabytes} MB`] : []),
    ...(early && late && late.openFiles - early.openFiles > flat.files ? [`open files grew from ${early.openFiles} to ${late.openFiles}`] : []),
  ];
}
