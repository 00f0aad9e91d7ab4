import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { programDir } from "../../main/program.ts";

/** Documents to which the program, its manual or another of these documents refers. They are part of the package. */
export const documents: readonly string[] = [
  "dicom-conformance.md",
  "model-packs.md",
  "practice-software.md",
  "practice.md",
  "service.md",
  "usg-client.md",
  ...readdirSync(path.join(programDir, "docs", "clients")).map((name) => `clients/${name}`),
];

export function writeDocuments(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const name of documents) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, withoutDeadLinks(name, readFileSync(path.join(programDir, "docs", name), "utf8")));
  }
}

/** Replaces links to files outside the package by their text. */
export function withoutDeadLinks(name: string, text: string): string {
  return text.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    const [file = ""] = target.split("#");
    const isThere = /^https?:/.test(target) || documents.includes(path.posix.join(path.posix.dirname(name), file));
    return isThere ? link : words;
  });
}
