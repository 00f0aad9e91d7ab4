import { openBench } from "../../../fixtures/desktop-bench.ts";

// A program of its own, to be killed: receives DICOM objects into the folder and on the port that the command line
// names.
const [dataDir = "", port = "0"] = process.argv.slice(2);
const bench = openBench({ dataDir });
bench.context.db.pragma("synchronous = FULL");
const { state } = await bench.call("dicom.configure", {
  isOn: true,
  port: Number(port),
  aeTitle: "CORVET",
  bind: "this-computer",
  allowedAeTitles: [],
  allowedAddresses: [],
});
process.stdout.write(`${state}\n`);
