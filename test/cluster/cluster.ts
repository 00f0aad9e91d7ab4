import { parseArgs } from "node:util";
import { runCommand, UsageError } from "../../main/commands/running/run-command.ts";
import { hasPostgres } from "../fixtures/postgres/programs.ts";
import { clusterFaultsOf, runCluster } from "./cluster-run.ts";
import { smallFilm } from "./small-film.ts";

const usage = `npm run cluster -- [--nodes N] [--clients N] [--answers N]
Starts a PostgreSQL of its own and several programs on it, with recorded answers in place of the networks, and asks them from many clients
at once. Meanwhile it kills three of the programs, starts the database anew, and lets it crash. Then it compares what the clients were told
with the ledger. Fails unless no charge was lost or made twice, every ordinal and tier follows, and the chain verifies.
  --nodes N    programs (default 4)
  --clients N  clients at a time (default 32)
  --answers N  answers between one disturbance and the next (default 300)`;

runCommand("cluster", usage, async (args, print) => {
  const { values } = parseArgs({
    args,
    options: { nodes: { type: "string" }, clients: { type: "string" }, answers: { type: "string" } },
  });
  if (!hasPostgres) throw new UsageError("there is no PostgreSQL here");
  const count = (text: string | undefined, fallback: number, least: number) => {
    const number = Number(text ?? fallback);
    if (!Number.isInteger(number) || number < least) throw new UsageError(`${text} is not a number from ${least} on`);
    return number;
  };
  const report = await runCluster({
    nodes: count(values.nodes, 4, 3),
    clients: count(values.clients, 32, 1),
    answersBetween: count(values.answers, 300, 1),
    image: await smallFilm(),
  });
  print(JSON.stringify(report, (_, value: unknown) => (typeof value === "number" ? Math.round(value) : value), 2));
  const faults = clusterFaultsOf(report);
  for (const fault of faults) print(`FAULT: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
});
