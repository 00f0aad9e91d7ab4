import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { programDir } from "../../main/program.ts";
import { createMutator } from "./dicom-mutations.ts";
import { runDicomFuzz } from "./fuzz-dicom-run.ts";
import { runCommand, UsageError } from "../../main/commands/running/run-command.ts";

const usage = `npm run fuzz-dicom -- [--count N] [--seed N] [--threads N]
Damages the small films of test/fixtures/dicom, one of every transfer syntax, and sends them through parsing and decoding.
  --count N  how many (default 20000)
  --seed N   the same seed gives the same films (default: of the clock)
  --threads N  decoded side by side (default 2)`;

/** More than this for pictures of 16 x 16 px would be memory that a damaged film took [MB]. */
const memoryLimitMegabytes = 2048;

runCommand("fuzz-dicom", usage, async (args, print) => {
  const { values } = parseArgs({
    args,
    options: { count: { type: "string" }, seed: { type: "string" }, threads: { type: "string" } },
  });
  const [count, seed, threads] = [
    Number(values.count ?? 20_000),
    Number(values.seed ?? Date.now() % 1_000_000),
    Number(values.threads ?? 2),
  ];
  if (![count, seed, threads].every(Number.isInteger) || count < 1 || threads < 1)
    throw new UsageError("--count, --seed and --threads are whole numbers");
  const report = await runDicomFuzz(createMutator(seed, readSmallFilms()), count, {
    threads,
    onProgress: (done) => void process.stderr.write(`${done} of ${count}\n`),
  });
  print(JSON.stringify({ seed, ...report }, null, 2));
  process.exitCode = report.failures.length > 0 || report.peakMegabytes > memoryLimitMegabytes ? 1 : 0;
});

function readSmallFilms(): Buffer[] {
  const folder = path.join(programDir, "test", "fixtures", "dicom");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".dcm"))
    .sort()
    .map((name) => readFileSync(path.join(folder, name)));
}
