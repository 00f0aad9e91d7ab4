import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { programDir } from "../../main/program.ts";
import {
  foldersInPage,
  licencesOfLockFile,
  packagesOfLockFile,
} from "../../main/services/program/licences/licences.ts";
import { writeDocuments } from "./documents.ts";

// Build step for files other than compiled sources. They cannot be created in a packaged program, which has neither
// sources nor a lock file.
const built = path.join(programDir, "dist");
mkdirSync(built, { recursive: true });
const lockFile = path.join(programDir, "package-lock.json");
const migrations = path.join("main", "store", "migrations");
// The program runs all migrations in the folder, so leftovers of another version must be removed.
rmSync(path.join(built, migrations), { recursive: true, force: true });
cpSync(path.join(programDir, migrations), path.join(built, migrations), { recursive: true });
writeDocuments(path.join(built, "documents"));
writeFileSync(path.join(built, "licences.json"), `${JSON.stringify(licencesOfLockFile(lockFile), null, 2)}\n`);
// The bundler omits the licence texts of the page's libraries, so they are collected in one file.
const texts = foldersInPage(packagesOfLockFile(lockFile)).sort().map(licenceTextOf);
writeFileSync(path.join(built, "page-licences.txt"), texts.join("\n\n"));

function licenceTextOf(folder: string): string {
  const files = readdirSync(path.join(programDir, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const { name, version, license } = z
    .object({ name: z.string(), version: z.string(), license: z.string() })
    .parse(JSON.parse(readFileSync(path.join(programDir, folder, "package.json"), "utf8")));
  const lines = files.map((file) => readFileSync(path.join(programDir, folder, file), "utf8").trim());
  return [`${name} ${version}: ${license}`, ...lines].join("\n\n");
}
