/** The program without a window, like `main/headless.ts`, with recorded results instead of networks. */
import { parseArgs } from "node:util";
import { openCorvet } from "../../main/compose.ts";
import { openLog } from "../../main/log.ts";
import { recordedEngine } from "./recorded-engine.ts";

const { values } = parseArgs({ options: { port: { type: "string" }, "data-dir": { type: "string", default: "" } } });
const dataDir = values["data-dir"];
const corvet = await openCorvet({
  dataDir,
  port: Number(values.port),
  log: openLog(dataDir),
  engine: recordedEngine(),
});
process.once("SIGTERM", () => void corvet.close().then(() => process.exit(0)));
