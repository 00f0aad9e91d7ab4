import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { programDir } from "../program.ts";
import { licencesOfLockFile } from "../services/licences.ts";

// Part of the build: a packaged program has no lock file to read the licences of its libraries from.
const file = path.join(programDir, "dist", "licences.json");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(licencesOfLockFile(path.join(programDir, "package-lock.json")), null, 2)}\n`);
