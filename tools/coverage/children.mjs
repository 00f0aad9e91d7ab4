import path from "node:path";

// Node writes the coverage of every process that a test starts to this folder.
process.env["NODE_V8_COVERAGE"] = path.join(process.env["CORVET_COVERAGE"], "processes");
