import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { outputOf } from "../../../fixtures/process/run-tool.ts";

export function hasTool(...names: string[]): boolean {
  const missing = names.filter((name) => !existsSync(path.join("/usr/bin", name)));
  if (missing.length > 0) console.warn(`skipped: ${missing.join(", ")} not installed`);
  return missing.length === 0;
}

/** Converts a file with a tool; paths replace `IN` and `OUT` in the arguments. @throws Error with the tool's output */
export function madeBy(
  tool: string,
  args: readonly string[],
  input: Uint8Array,
  endings = { in: ".dcm", out: ".dcm" },
): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-dicom-"));
  try {
    const paths: Readonly<Record<string, string>> = {
      IN: path.join(folder, `in${endings.in}`),
      OUT: path.join(folder, `out${endings.out}`),
    };
    writeFileSync(paths["IN"] as string, input);
    const printed = outputOf(
      tool,
      args.map((arg) => paths[arg] ?? arg),
    );
    if (!existsSync(paths["OUT"] as string)) throw new Error(`${tool} ${args.join(" ")} made no file: ${printed}`);
    return readFileSync(paths["OUT"] as string);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function samplesOfPortableMap(file: Buffer): number[] {
  const header = /^P[56]\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+(\d+)\s/.exec(file.subarray(0, 200).toString("latin1"));
  if (!header) throw new Error("no portable map");
  const samples = file.subarray(header[0].length);
  return Number(header[3]) > 255
    ? Array.from({ length: samples.length / 2 }, (_, index) => samples.readUInt16BE(2 * index))
    : [...samples];
}
