import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runTool } from "../../../fixtures/process/run-tool.ts";

const packages = { dciodvfy: "dicom3tools", dcmdump: "dcmtk", dsr2html: "dcmtk", dsrdump: "dcmtk" } as const;
export type Judge = keyof typeof packages;

export function isMissing(judge: Judge): boolean {
  const isThere = existsSync(`/usr/bin/${judge}`);
  if (!isThere) console.warn(`skipped: ${judge} is missing (Debian: ${packages[judge]})`);
  return !isThere;
}

/** Runs a judge on a file's bytes. @returns its output on stdout and stderr, and its exit status */
export function ask(
  judge: Judge,
  bytes: Uint8Array,
  ...options: string[]
): { readonly status: number | null; readonly lines: string[]; readonly output: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-judge-"));
  try {
    const file = path.join(folder, "object.dcm");
    writeFileSync(file, bytes);
    const { status, stdout, stderr } = runTool(judge, [...options, file]);
    return {
      status,
      output: stdout.toString(),
      lines: `${stdout.toString()}\n${stderr}`
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Output of dciodvfy, without its warnings about our private element, about a film without a patient, and `known`. */
export function verdictOn(bytes: Uint8Array, ...known: readonly RegExp[]): readonly string[] {
  const expected = [
    /^\(0x0099,0x1001\) {2}\? {2}- Warning - Unrecognized tag - assuming explicit value representation OK$/,
    /^Warning - Missing attribute or value that would be needed to build DICOMDIR - Patient ID$/,
    ...known,
  ];
  return ask("dciodvfy", bytes).lines.filter((line) => !expected.some((warning) => warning.test(line)));
}

export function dumpsOf(objects: readonly Uint8Array[]): { readonly status: number | null; readonly dumps: string[] } {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-judge-"));
  try {
    const files = objects.map((bytes, index) => {
      const file = path.join(folder, `${index}.dcm`);
      writeFileSync(file, bytes);
      return file;
    });
    const { status, stdout } = runTool("dcmdump", ["+F", ...files]);
    return {
      status,
      dumps: stdout
        .toString()
        .split(/^# dcmdump \(\d+\/\d+\): .*$/m)
        .slice(1),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
