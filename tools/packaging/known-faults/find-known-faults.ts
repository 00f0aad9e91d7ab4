import { readFileSync } from "node:fs";
import { z } from "zod";
import { licencesOfLockFile } from "../../../main/services/program/licences/licences.ts";
import { zipEntries } from "../../../main/services/import/zip-files.ts";
import { faultRecord, isAffected } from "./fault-records.ts";

type Library = { readonly name: string; readonly version: string; readonly isTool: boolean };
export type KnownFault = Library & { readonly id: string; readonly summary: string };

const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) });
/** The export holds every record of npm, reports of malicious packages included. */
const limits = { files: 2_000_000, fileBytes: 20_000_000, totalBytes: 8_000_000_000 };

export function librariesOf(lockFile: string): Library[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(lockFile, "utf8")));
  const inProgram = new Set(
    licencesOfLockFile(lockFile).flatMap(({ name, version }) => version.split(", ").map((one) => `${name} ${one}`)),
  );
  return Object.entries(packages).flatMap(([place, { version }]) => {
    const name = place.split("node_modules/").at(-1) ?? "";
    return name === "" || version === undefined
      ? []
      : [{ name, version, isTool: !inProgram.has(`${name} ${version}`) }];
  });
}

/**
 * Compares the lock file with a local export of the OSV database; no network access.
 *
 * @param zip  path of the export for npm: a ZIP of one JSON file for each record
 * @throws AppError INVALID_ARCHIVE, Error if it holds no record
 */
export async function findKnownFaults(zip: string, lockFile: string): Promise<KnownFault[]> {
  const libraries = librariesOf(lockFile);
  const names = new Set(libraries.map(({ name }) => name));
  const faults: KnownFault[] = [];
  let records = 0;
  for await (const { name, read } of zipEntries(zip, limits)) {
    if (!name.endsWith(".json")) continue;
    records += 1;
    const text = (await read()).toString("utf8");
    const parsed = faultRecord.safeParse(JSON.parse(text));
    if (!parsed.success) continue;
    const about = new Set(
      parsed.data.affected?.map((part) => part.package?.name).filter((each) => names.has(each ?? "")),
    );
    for (const library of libraries.filter((each) => about.has(each.name)))
      if (isAffected(parsed.data, library.name, library.version))
        faults.push({ ...library, id: parsed.data.id, summary: parsed.data.summary ?? "" });
  }
  if (records === 0) throw new Error(`There is no record in ${zip}`);
  return faults.sort((a, b) => Number(a.isTool) - Number(b.isTool) || a.name.localeCompare(b.name));
}
