import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { programDir } from "../../main/program.ts";
import { licencesOfLockFile } from "../../main/services/program/licences.ts";

// Part of the build: what the compiler leaves behind. A packaged program has neither sources nor a lock file to read
// these from.
const built = path.join(programDir, "dist");
mkdirSync(built, { recursive: true });
for (const asset of [
  path.join("main", "store", "migrations"),
  path.join("main", "inference", "views", "kernel", "film-views.wasm"),
]) {
  cpSync(path.join(programDir, asset), path.join(built, asset), { recursive: true });
}
writeFileSync(
  path.join(built, "licences.json"),
  `${JSON.stringify(licencesOfLockFile(path.join(programDir, "package-lock.json")), null, 2)}\n`,
);
