import { tmpdir } from "node:os";
import path from "node:path";

/** Folder of the measurements that the workers of one run share. @see recording-engine.ts */
export function recordingFolder(): string {
  return path.join(tmpdir(), `corvet-measured-in-${process.env["CORVET_TEST_RUN"] ?? process.pid}`);
}
