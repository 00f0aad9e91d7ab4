/** Runs the program of `main/headless.ts` on the recording engine, for journeys that kill it. */
import { parseArgs } from "node:util";
import { openRecordedProgram } from "./open-program.ts";

const { values } = parseArgs({
  options: { port: { type: "string" }, "data-dir": { type: "string", default: "" } },
});
const corvet = await openRecordedProgram({
  dataDir: values["data-dir"],
  port: Number(values.port),
});
process.once("SIGTERM", () => void corvet.close().then(() => process.exit(0)));
