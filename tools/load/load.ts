import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { programDir } from "../../main/program.ts";
import { faultsOf, flatFiles, flatMegabytes, runLoad } from "./load-run.ts";
import { makeDataDir, startOwnService } from "../own-service.ts";
import { runCommand, UsageError } from "../../main/commands/running/run-command.ts";
import { runSoak, soakFaultsOf, soakLimits } from "./soak-run.ts";

const usage = `npm run load -- [--clients N] [--seconds N]
npm run load -- --soak [--predictions N]
Without --soak: starts the service on a data directory of its own, asks it from many clients at once, more than its queue takes, and
compares their answers with the ledger. Fails unless 429 with a valid Retry-After was seen, no charge was lost or made twice, every film
was measured with one result, and memory stayed flat: its median in the last third of the run is at most ${flatMegabytes} MB above that of the
middle third, open files at most ${flatFiles}.
  --clients N      clients at a time (default 32)
  --seconds N      how long (default 60)
With --soak: predictions with every network, one after the other, in the command's own process. After a warm-up of a fifth of them the
heap may grow by ${soakLimits.heapMegabytes} MB (after garbage collection), resident memory by ${soakLimits.residentMegabytes} MB (from ${soakLimits.residentFrom} predictions on), handles and open files by ${soakLimits.handles}: medians of the last fifth beside the second.
  --predictions N  how many (default 2000)`;

runCommand("load", usage, async (args, print) => {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: "string" },
      seconds: { type: "string" },
      soak: { type: "boolean", default: false },
      predictions: { type: "string" },
    },
  });
  const films = ["dog-01.jpg", "dog-02.jpg", "dog-03.jpg"].map((file) =>
    readFileSync(path.join(programDir, "test", "fixtures", "films", file), "base64"),
  );
  const count = (text: string | undefined, fallback: number) => {
    const number = Number(text ?? fallback);
    if (!Number.isInteger(number) || number < 1)
      throw new UsageError(`${text} is not a number of clients, seconds or predictions`);
    return number;
  };
  const { report, faults } = values.soak
    ? await soak(films, count(values.predictions, 2000))
    : await load(films, count(values.clients, 32), count(values.seconds, 60));
  print(JSON.stringify(report, null, 2));
  for (const fault of faults) print(`FAULT: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
});

async function load(
  films: readonly string[],
  clients: number,
  seconds: number,
): Promise<{ report: object; faults: readonly string[] }> {
  const own = await makeDataDir("load");
  const service = await startOwnService(own.dataDir);
  try {
    const report = await runLoad(service, own.dataDir, own.key, { clients, films, seconds });
    return { report, faults: faultsOf(report) };
  } finally {
    await service.stop();
    own.remove();
  }
}

async function soak(
  films: readonly string[],
  predictions: number,
): Promise<{ report: object; faults: readonly string[] }> {
  const own = await makeDataDir("soak");
  try {
    const report = await runSoak(own.dataDir, own.key, films, predictions);
    return { report, faults: soakFaultsOf(report) };
  } finally {
    own.remove();
  }
}
