import { parseArgs } from "node:util";
import { fuzzFaultsOf, runFuzz } from "./fuzz-run.ts";
import { makeDataDir, startOwnService } from "../own-service.ts";
import { runCommand, UsageError } from "../../main/commands/running/run-command.ts";

const usage = `npm run fuzz-v3 -- [--requests N] [--seed N]
Starts the service, with every network, on a data directory of its own and sends it requests that are nearly right, or nearly JSON.
  --requests N  how many (default 20000)
  --seed N      the same seed gives the same requests (default: of the clock)`;

runCommand("fuzz-v3", usage, async (args, print) => {
  const { values } = parseArgs({ args, options: { requests: { type: "string" }, seed: { type: "string" } } });
  const [requests, seed] = [Number(values.requests ?? 20_000), Number(values.seed ?? Date.now() % 1_000_000)];
  if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed))
    throw new UsageError("--requests and --seed are whole numbers");
  const own = await makeDataDir("fuzz");
  const service = await startOwnService(own.dataDir);
  try {
    const report = await runFuzz(service, own.key, seed, requests);
    print(JSON.stringify({ seed, ...report }, null, 2));
    const faults = fuzzFaultsOf(report);
    for (const fault of faults) print(`FAULT: ${fault}`);
    process.exitCode = faults.length > 0 ? 1 : 0;
  } finally {
    await service.stop();
    own.remove();
  }
});
