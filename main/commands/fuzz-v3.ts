import { parseArgs } from "node:util";
import sharp from "sharp";
import { createFuzzer } from "./fuzz-bodies.ts";
import { runFuzz } from "./fuzz-run.ts";
import { makeDataDir, startOwnService } from "./own-service.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `npm run fuzz-v3 -- [--requests N] [--seed N]
Starts the service on a data directory of its own and sends it requests that are nearly right, or nearly JSON.
  --requests N  how many (default 20000)
  --seed N      the same seed gives the same requests (default: of the clock)`;

runCommand("fuzz-v3", usage, async (args, print) => {
  const { values } = parseArgs({ args, options: { requests: { type: "string" }, seed: { type: "string" } } });
  const [requests, seed] = [Number(values.requests ?? 20_000), Number(values.seed ?? Date.now() % 1_000_000)];
  if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) throw new UsageError("--requests and --seed are whole numbers");
  const own = makeDataDir("fuzz");
  const service = await startOwnService(own.dataDir);
  try {
    const report = await runFuzz(service, createFuzzer(seed, own.key, await smallPicture()), requests);
    print(JSON.stringify({ seed, ...report }, null, 2));
    process.exitCode = report.failures.length > 0 ? 1 : 0;
  } finally {
    await service.stop();
    own.remove();
  }
});

/** base64 of a picture that decodes in a moment. */
async function smallPicture(): Promise<string> {
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: { r: 80, g: 80, b: 80 } } }).png().toBuffer();
  return png.toString("base64");
}
