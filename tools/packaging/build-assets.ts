import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { programDir } from "../../main/program.ts";
import { licencesOfLockFile } from "../../main/services/program/licences.ts";

// Part of the build: what the compiler leaves behind. A packaged program has neither sources nor a lock file to read
// these from.
const built = path.join(programDir, "dist");
mkdirSync(built, { recursive: true });
const migrations = path.join("main", "store", "migrations");
cpSync(path.join(programDir, migrations), path.join(built, migrations), { recursive: true });
writeFileSync(
  path.join(built, "licences.json"),
  `${JSON.stringify(licencesOfLockFile(path.join(programDir, "package-lock.json")), null, 2)}\n`,
);
