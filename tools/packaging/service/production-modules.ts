import { cpSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })),
});

/** Files that no package needs: the patterns of electron-builder.yml, for this system. */
function listUnneeded(programDir: string): string[] {
  const settings = readFileSync(path.join(programDir, "electron-builder.yml"), "utf8")
    .replaceAll("${platform}", process.platform)
    .replaceAll("${arch}", process.arch);
  return [...settings.matchAll(/^ {2}- "!(.+)"$/gm)].map(([, pattern = ""]) => pattern);
}

/** Licence texts are always included, whatever their file name. */
const licenceText = /\/(licen[cs]e|copying|notice|third.?party)[^/]*$/i;

/** Copies the installed non-development packages of the lock file, without sources and parts for other systems. */
export function copyProductionModules(programDir: string, to: string): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(path.join(programDir, "package-lock.json"), "utf8")));
  const unneeded = listUnneeded(programDir);
  const isNeeded = (file: string) =>
    licenceText.test(file) || !(file.includes("/.") || unneeded.some((pattern) => path.matchesGlob(file, pattern)));
  const prefix = "node_modules/";
  const names = Object.entries(packages)
    .filter(([folder, { dev }]) => folder.startsWith(prefix) && !dev && existsSync(path.join(programDir, folder)))
    .filter(([folder]) => isNeeded(`${folder}/package.json`))
    .map(([folder]) => folder.slice(prefix.length));
  for (const name of names) {
    cpSync(path.join(programDir, prefix, name), path.join(to, name), {
      recursive: true,
      filter(source) {
        const inside = path.relative(programDir, source).replaceAll("\\", "/");
        // Nested libraries have separate entries in the lock file.
        if (inside.slice(prefix.length + name.length).includes("/node_modules")) return false;
        return isNeeded(inside);
      },
    });
  }
  return names.sort();
}
