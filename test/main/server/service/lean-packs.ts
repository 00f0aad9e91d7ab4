import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const packs = path.join(import.meta.dirname, "..", "..", "..", "..", "models", "packs");

/** Packs for tests that start the program often: the gate, the locator and two of the landmark networks. */
export function makeLeanPacks(folder: string): string {
  const from = path.join(packs, "landmarks-corvet");
  const to = path.join(folder, "packs", "landmarks-lean");
  mkdirSync(to, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(from, "manifest.json"), "utf8")) as {
    name: string;
    members: { file: string }[];
    locator?: { file: string };
    column?: unknown;
    heart?: unknown;
  };
  const alone = { column: undefined, heart: undefined };
  const lean = { ...manifest, name: "landmarks-lean", members: manifest.members.slice(0, 2), ...alone };
  for (const { file } of [...lean.members, ...(lean.locator ? [lean.locator] : [])])
    cpSync(path.join(from, file), path.join(to, file));
  writeFileSync(path.join(to, "manifest.json"), JSON.stringify(lean));
  cpSync(path.join(packs, "gate-corvet"), path.join(folder, "packs", "gate-corvet"), { recursive: true });
  return path.join(folder, "packs");
}
