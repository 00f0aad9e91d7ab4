import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { partsInside } from "./prebuilt-parts.ts";

/** Versions are joined if several are installed. */
export type Licence = { readonly name: string; readonly version: string; readonly licence: string };

/** Dev dependencies bundled into the page. */
export const pageLibraries: readonly string[] = [
  "@tanstack/react-query",
  "@tanstack/react-virtual",
  "@visx/axis",
  "@visx/grid",
  "@visx/scale",
  "@visx/shape",
  "marked",
  "radix-ui",
  "react",
  "react-dom",
  "sonner",
  "zustand",
];

/** Libraries whose package metadata lacks the licence name. */
const unnamed: Readonly<Record<string, string>> = { memorystream: "MIT", "png-js": "MIT" };

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
type Packages = z.infer<typeof lockSchema>["packages"];

const licencesSchema = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() }));

export function packagesOfLockFile(lockFile: string): Packages {
  return lockSchema.parse(JSON.parse(readFileSync(lockFile, "utf8"))).packages;
}

export function licencesOfLockFile(lockFile: string): Licence[] {
  const packages = packagesOfLockFile(lockFile);
  const inPage = new Set(foldersInPage(packages));
  const found = new Map<string, { readonly versions: Set<string>; readonly licences: Set<string> }>();
  for (const [folder, { version = "", license, dev = false }] of Object.entries(packages)) {
    const name = folder.split("node_modules/").at(-1) ?? "";
    if (name === "" || (dev && !inPage.has(folder))) continue;
    const library = found.get(name) ?? { versions: new Set(), licences: new Set() };
    found.set(name, {
      versions: library.versions.add(version),
      licences: library.licences.add(license ?? unnamed[name] ?? "unknown"),
    });
  }
  const listed = [...found].flatMap(([name, { versions, licences }]) => [
    { name, version: [...versions].join(", "), licence: [...licences].join(", ") },
    ...partsInside(name).map((part) => ({ ...part, name: `${part.name} (in ${name})` })),
  ]);
  return listed.sort((a, b) => a.name.localeCompare(b.name));
}

export function foldersInPage(packages: Packages): string[] {
  const folders = new Set<string>();
  const take = (asker: string, name: string): void => {
    const folder = folderOf(packages, asker, name);
    if (folder === null || folders.has(folder) || name.startsWith("@types/")) return;
    folders.add(folder);
    for (const needed of Object.keys(packages[folder]?.dependencies ?? {})) take(folder, needed);
  };
  for (const name of pageLibraries) take("", name);
  return [...folders];
}

/** Like Node: in the importing package's folder, then in its ancestors. */
function folderOf(packages: Packages, asker: string, name: string): string | null {
  const folder = `${asker === "" ? "" : `${asker}/`}node_modules/${name}`;
  if (packages[folder]) return folder;
  return asker === ""
    ? null
    : folderOf(packages, asker.slice(0, Math.max(0, asker.lastIndexOf("/node_modules/"))), name);
}

/** Reads the lock file in a checkout, whose last build may be outdated. */
export function listLicences(programDir: string): Licence[] {
  const lockFile = path.join(programDir, "package-lock.json");
  if (existsSync(lockFile)) return licencesOfLockFile(lockFile);
  const built = path.join(programDir, "dist", "licences.json");
  return existsSync(built) ? licencesSchema.parse(JSON.parse(readFileSync(built, "utf8"))) : [];
}

export function readLicenceText(programDir: string): string {
  const file = path.join(programDir, "LICENSE");
  return existsSync(file) ? readFileSync(file, "utf8") : "MIT";
}
