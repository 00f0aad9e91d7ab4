import { parseArgs } from "node:util";
import { runCommand } from "../../main/commands/running/run-command.ts";
import { textTable } from "../../main/commands/output/text-table.ts";
import { runAttacks } from "./attack-run.ts";

const usage = `npm run attack -- [--short] [--seed N]
Attacks a service of its own: raw HTTP, JSON, pictures, ZIP files, kills, and where the machine has them failing disks (strace),
a full disk (tmpfs), no more files (prlimit) and a clock behind (faketime). Prints what was tried, refused, crashed and lost.
  --short   what the tests run: no faults of the machine
  --seed N  the same seed gives the same bodies`;

runCommand("attack", usage, async (args, print) => {
  const { values } = parseArgs({ args, options: { short: { type: "boolean" }, seed: { type: "string" } } });
  const tallies = await runAttacks(values.short ?? false, Number(values.seed ?? 20_261));
  const rows = tallies.map(({ kind, tried, refused, crashed, lost, note }) => [
    kind,
    ...[tried, refused, crashed, lost].map(String),
    note,
  ]);
  print(textTable([["ATTACK", "TRIED", "REFUSED", "CRASHED", "LOST", ""], ...rows]));
  if (tallies.some(({ crashed, lost }) => crashed + lost > 0)) process.exitCode = 1;
});
