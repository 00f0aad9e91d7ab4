import { Command, Option } from "commander";
import path from "node:path";
import { AppError } from "../../core/app-error.ts";
import { languageCodes } from "../../core/language/languages.ts";
import { createDicomReader } from "../dicom/dicom-reader.ts";
import { isDataDirTaken } from "../instance-lock.ts";
import { programVersion } from "../program.ts";
import { createHandoutPrinter } from "../report/print-handout.ts";
import { eraseEverywhere } from "../services/privacy/erase-patient.ts";
import { exportPatient } from "../services/privacy/export-patient.ts";
import type { WritableDb } from "../store/database.ts";
import { snapshot } from "../store/engines/engine.ts";
import { listPatients, type PatientRow } from "../store/films/patients.ts";
import { concernedAccounts } from "../store/privacy/concerned-accounts.ts";
import { findIdentity, readPatientRecord } from "../store/privacy/patient-record.ts";
import { dataDirOption } from "./running/options.ts";
import { print, UsageError } from "./running/run-program.ts";
import { withStore } from "./running/with-store.ts";
import { textTable } from "./output/text-table.ts";

type Given = { readonly dataDir: string };
type GivenExport = Given & { readonly to: string; readonly language: (typeof languageCodes)[number] };
type GivenErasure = Given & { readonly why?: string; readonly by?: string; readonly yes?: boolean };

export function patientCommand(): Command {
  const patient = new Command("patient")
    .description("list, export and erase patients")
    .addHelpText("after", "\nPATIENT: the id that list prints, or the practice's identifier as it was sent to the API");
  const command = (usage: string, description: string) =>
    patient.command(usage).description(description).addOption(dataDirOption());
  command("list", "patients with their ids")
    .option("--search <text>", "part of a name, owner or number", "")
    .action(async ({ dataDir, search }: Given & { readonly search: string }) =>
      print(await withStore(dataDir, (db) => listed(db, search))),
    );
  command("export <patient>", "everything about a patient: data, films, results, handouts")
    .requiredOption("--to <file.zip>", "the ZIP to write")
    .addOption(new Option("--language <code>", "language of the handouts").choices(languageCodes).default("en"))
    .action(async (named: string, given: GivenExport) =>
      print(await withStore(given.dataDir, (db) => exported(db, named, given))),
    );
  command("erase <patient>", "erase a patient permanently; without --yes only prints what would be erased")
    .option("--why <text>", "with --yes: the reason, for the signed statement")
    .option("--by <name>", "with --yes: your name, for the signed statement")
    .option("--yes", "erase; Corvet must not be running")
    .action(async (named: string, { dataDir, why, by, yes }: GivenErasure) => {
      if (!yes) return print(await withStore(dataDir, (db) => describeErasure(db, named)));
      if (why === undefined || by === undefined) throw new UsageError("--yes needs --why and --by");
      if (isDataDirTaken(path.resolve(dataDir)))
        throw new AppError("STORE_BUSY", "Corvet is running. Stop it first, or erase the patient in its window.");
      print(await withStore(dataDir, (db) => erased(db, named, dataDir, { why, by })));
    });
  return patient;
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

async function exported(db: WritableDb, patient: string, { dataDir, to, language }: GivenExport): Promise<string> {
  const [dicom, handouts] = [createDicomReader(), createHandoutPrinter()];
  try {
    const context = { db, dataDir: path.resolve(dataDir), dicom, handouts, programVersion, now: () => new Date() };
    const { films, filmsWithoutFile } = await exportPatient(context, patient, { file: path.resolve(to), language });
    return `${to}: ${films} films${filmsWithoutFile > 0 ? `; ${filmsWithoutFile} more have only readings` : ""}`;
  } finally {
    await Promise.all([dicom.close(), handouts.close()]);
  }
}

async function erased(
  db: WritableDb,
  patient: string,
  dataDir: string,
  statement: Parameters<typeof eraseEverywhere>[2],
): Promise<string> {
  const context = { db, dataDir: path.resolve(dataDir), now: () => new Date() };
  const { pseudonym, rows, filmIds, backups, ownData } = await eraseEverywhere(context, patient, statement);
  const kept = backups.length === 0 ? "" : `\nPossibly still in these copies:\n${backups.join("\n")}`;
  const own = ownData.length === 0 ? "" : `\nPossibly also in this computer's own data:\n${ownData.join("\n")}`;
  return `Erased: ${rows} rows, ${filmIds.length} films. Billed data is now under ${pseudonym}.${kept}${own}`;
}

async function describeErasure(db: WritableDb, patient: string): Promise<string> {
  const record = await readPatientRecord(db, await findIdentity(db, patient));
  const { films, readings, measurements, screenings, billing } = record;
  const named = record.patient.map(({ name, owner }) => `${String(name)} (${String(owner)})`).join() || patient;
  const accounts = await concernedAccounts(db, record);
  const warning = accounts.length > 1 ? `\nSeveral accounts use the identifier: ${accounts.join(", ")}.` : "";
  const values = `${measurements.length} measurements, ${screenings.length} screenings`;
  const going = `${films.length} films with ${readings.length} readings, ${values}`;
  return [
    `${named}: ${going} would be erased; ${billing.length} rows of the ledger would get a pseudonym.${warning}`,
    "Nothing was erased; add --yes, --why and --by.",
  ].join("\n");
}
