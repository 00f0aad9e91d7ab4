/** Converts a data directory and kills itself. Arguments: data directory, step, occurrence of the step ("film 2"). */
import { convertFiles } from "../../../../main/services/program/encryption/convert-files.ts";
import { convertStore, type ConversionStep } from "../../../../main/store/encryption/convert-store.ts";

const [dataDir = "", step = "", times = "1"] = process.argv.slice(2);
let left = Number(times);
const onStep = (come: ConversionStep) => {
  if (come !== step) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
};
convertStore(dataDir, onStep);
await convertFiles(dataDir, { onStep });
