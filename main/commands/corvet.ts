import { runCorvet } from "./running/run-corvet.ts";

await runCorvet(process.argv.slice(2));
