import path from "node:path";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { languageCodes } from "../../core/language/languages.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import { isDataDirTaken } from "../instance-lock.ts";
import { defaultDataDir, programVersion } from "../program.ts";
import { createHandOutPrinter } from "../report/print-hand-out.ts";
import { eraseForGood } from "../services/privacy/erase-patient.ts";
import { exportPatient } from "../services/privacy/export-patient.ts";
import type { WritableDb } from "../store/database.ts";
import { snapshot } from "../store/engines/engine.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { listPatients, type PatientRow } from "../store/films/patients.ts";
import { concernedAccounts } from "../store/privacy/concerned-accounts.ts";
import { findIdentity, readPatientRecord } from "../store/privacy/patient-record.ts";
import { asOperatingSystemUser } from "./running/acting-command.ts";
import { runCommand, UsageError } from "./running/run-command.ts";
import { textTable } from "./output/text-table.ts";

const usage = `patient list   [--data-dir DIR] [--search TEXT]
patient export [--data-dir DIR] PATIENT --to FILE.zip [--language en|de|fr]
                                    everything that is kept about a patient: data, films, results, handouts
patient erase  [--data-dir DIR] PATIENT --why TEXT --by NAME [--yes]
                                    for good; what was billed stays under a pseudonym, a signed statement in the ledger says
                                    why, which copies on this computer still hold it, and which file from before a database
                                    may. Without --yes: only says what would go.
                                    Corvet must not be running.
  PATIENT: the id that list prints, or the practice's own identifier as it was sent to the API`;

const text = { type: "string" } as const;
const options = {
  "data-dir": text,
  search: text,
  to: text,
  language: text,
  why: text,
  by: text,
  yes: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof parse>["values"];

runCommand("patient", usage, async (args, print) => {
  const { values, positionals } = parse(args);
  const [verb = "", patient, ...rest] = positionals;
  if (rest.length > 0 || (verb === "list") !== (patient === undefined))
    throw new UsageError(verb === "list" ? "too many arguments" : "name one PATIENT");
  const dataDir = path.resolve(values["data-dir"] ?? defaultDataDir());
  if (verb === "erase" && values.yes && isDataDirTaken(dataDir))
    throw new AppError("STORE_BUSY", "Corvet is running. Stop it first, or erase the patient in its window.");
  const db = await openStoreOf(dataDir, { create: false, setAside: false });
  try {
    print(await asOperatingSystemUser(() => answer(db, dataDir, verb, patient ?? "", values)));
  } finally {
    await db.destroy();
  }
});

function parse(args: string[]) {
  return parseArgs({ args, options, allowPositionals: true });
}

async function answer(db: WritableDb, dataDir: string, verb: string, patient: string, values: Values) {
  switch (verb) {
    case "list":
      return listed(db, values.search ?? "");
    case "export":
      return exported(db, dataDir, patient, values);
    case "erase":
      return erased(db, dataDir, patient, values);
    default:
      throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  }
}

async function listed(db: WritableDb, search: string): Promise<string> {
  const rows = await snapshot(db, () => allPatients(db, search));
  return textTable([
    ["id", "name", "species", "owner", "identifier"],
    ...rows.map(({ id, name, species, owner, uuid }) => [id, name, species ?? "", owner, uuid ?? ""]),
  ]);
}

async function allPatients(db: WritableDb, search: string): Promise<readonly PatientRow[]> {
  const all: PatientRow[] = [];
  for (;;) {
    const { rows, total } = await listPatients(db, { search, limit: 10_000, offset: all.length });
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return all;
  }
}

async function exported(db: WritableDb, dataDir: string, patient: string, { to, language = "en" }: Values) {
  if (to === undefined) throw new UsageError("--to FILE.zip is missing");
  const code = languageCodes.find((known) => known === language);
  if (code === undefined) throw new UsageError(`--language is one of ${languageCodes.join(", ")}`);
  const [dicom, handOuts] = [createDicomReader(), createHandOutPrinter()];
  try {
    const desk = { db, dataDir, dicom, handOuts, programVersion, now: () => new Date() };
    const { films, filmsWithoutFile } = await exportPatient(desk, patient, { file: path.resolve(to), language: code });
    return `${to}: ${films} films${filmsWithoutFile > 0 ? `; of ${filmsWithoutFile} more only the readings are kept` : ""}`;
  } finally {
    await Promise.all([dicom.close(), handOuts.close()]);
  }
}

async function erased(db: WritableDb, dataDir: string, patient: string, { why, by, yes }: Values): Promise<string> {
  if (!why || !by) throw new UsageError("--why TEXT and --by NAME are needed: the statement gives both");
  const desk = { db, dataDir, now: () => new Date() };
  if (!yes) return `${await whatGoes(db, patient)}\nNothing was erased; add --yes.`;
  const { pseudonym, rows, filmIds, backups, ownData } = await eraseForGood(desk, patient, { why, by });
  const kept = backups.length === 0 ? "" : `\nStill in copies from before:\n${backups.join("\n")}`;
  const own = ownData.length === 0 ? "" : `\nMay be in this computer's own data, too:\n${ownData.join("\n")}`;
  return `Erased: ${rows} kept rows, ${filmIds.length} films. What was billed is now under ${pseudonym}.${kept}${own}`;
}

async function whatGoes(db: WritableDb, patient: string): Promise<string> {
  const record = await readPatientRecord(db, await findIdentity(db, patient));
  const { films, readings, measurements, screenings, billing } = record;
  const named = record.patient.map(({ name, owner }) => `${String(name)} (${String(owner)})`).join() || patient;
  const accounts = await concernedAccounts(db, record);
  const warning = accounts.length > 1 ? `\nSeveral accounts use the identifier: ${accounts.join(", ")}.` : "";
  const values = `${measurements.length} measurements, ${screenings.length} screenings`;
  const going = `${films.length} films with ${readings.length} readings, ${values}`;
  return `${named}: ${going} would go; ${billing.length} rows of the ledger would get a pseudonym.${warning}`;
}
