import { openBench } from "../../../fixtures/desktop-bench.ts";
import { openStoreOf } from "../../../../main/services/program/store-location.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";

// Separate process for a test that kills it. Receives DICOM objects; the arguments are data directory and port.
const [dataDir = "", port = "0"] = process.argv.slice(2);
const bench = await openBench({ dataDir, db: await openStoreOf(dataDir), start: false });
engineOf(bench.context.db).file?.pragma("synchronous = FULL");
await bench.desktop.start();
const { state } = await bench.call("dicom.configure", {
  isOn: true,
  port: Number(port),
  aeTitle: "CORVET",
  bind: "this-computer",
  allowedAeTitles: [],
  allowedAddresses: [],
});
process.stdout.write(`${state}\n`);
