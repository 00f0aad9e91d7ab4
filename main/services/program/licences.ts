import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** A library in the program and the licence that it states; where it is there in several versions, all of them. */
export type Licence = { readonly name: string; readonly version: string; readonly licence: string };

/** Libraries that are bundled into the page, where the package manager counts them among the tools. */
const bundledIntoPage = ["react", "react-dom", "scheduler", "zustand", "radix-ui", "@radix-ui/"] as const;

/** Libraries that come with the text of a licence and do not name it. */
const unnamed: Readonly<Record<string, string>> = { memorystream: "MIT", "png-js": "MIT" };

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional(), dev: z.boolean().optional() }),
  ),
});
const licencesSchema = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() }));

/** Libraries of the program as its lock file has them, each once, by name. */
export function licencesOfLockFile(lockFile: string): Licence[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(lockFile, "utf8")));
  const found = new Map<string, { readonly versions: Set<string>; readonly licences: Set<string> }>();
  for (const [folder, { version = "", license, dev = false }] of Object.entries(packages)) {
    const name = folder.split("node_modules/").at(-1) ?? "";
    const isBundled = bundledIntoPage.some((bundled) =>
      bundled.endsWith("/") ? name.startsWith(bundled) : name === bundled,
    );
    if (name === "" || (dev && !isBundled)) continue;
    const library = found.get(name) ?? { versions: new Set(), licences: new Set() };
    found.set(name, {
      versions: library.versions.add(version),
      licences: library.licences.add(license ?? unnamed[name] ?? "unknown"),
    });
  }
  const listed = [...found].map(([name, { versions, licences }]) => ({
    name,
    version: [...versions].join(", "),
    licence: [...licences].join(", "),
  }));
  return listed.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Libraries of the running program: from the lock file of a checkout, whose last build may be an old one, or as the
 * package was built.
 */
export function listLicences(programDir: string): Licence[] {
  const lockFile = path.join(programDir, "package-lock.json");
  if (existsSync(lockFile)) return licencesOfLockFile(lockFile);
  const built = path.join(programDir, "dist", "licences.json");
  return existsSync(built) ? licencesSchema.parse(JSON.parse(readFileSync(built, "utf8"))) : [];
}

/** The program's own licence. */
export function readLicenceText(programDir: string): string {
  const file = path.join(programDir, "LICENSE");
  return existsSync(file) ? readFileSync(file, "utf8") : "MIT";
}
