import type { ZipFile } from "yazl";
import { csvFile, csvText, type CsvCell } from "../../../core/csv-text.ts";
import type { Language } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";
import { localDay } from "../../../core/local-day.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { snapshot } from "../../store/engines/engine.ts";
import { findFilm, type FilmRow } from "../../store/films/films.ts";
import {
  findIdentity,
  readPatientRecord,
  type PatientRecord,
  type StoredRow,
} from "../../store/privacy/patient-record.ts";
import { writeZip } from "../desktop/exports.ts";
import { readFilmImage } from "../desktop/film-images.ts";
import { nullIfUnreadable } from "../desktop/null-if-unreadable.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { makeHandout, portableName } from "../results/report-handout.ts";
import { makeResultObjects } from "../results/result-objects.ts";
import type { ResultsContext } from "../results/results-context.ts";
import { readPatientNotes, type PatientNotes } from "./patient-notes.ts";

export type PatientExport = { readonly films: number; readonly filmsWithoutFile: number };

/** Commands have no log. */
type ExportContext = ResultsContext & Partial<Pick<ServiceContext, "log">>;

/**
 * Exports all data of a patient into a ZIP for the owner or another practice. Not a backup.
 *
 * @param idOrUuid  patient id, or the practice's identifier
 * @param file      output file; readable only by the user
 * @throws AppError NOT_FOUND without data
 */
export async function exportPatient(
  context: ExportContext,
  idOrUuid: string,
  { file, language }: { readonly file: string; readonly language: Language },
): Promise<PatientExport> {
  const identity = await findIdentity(context.db, idOrUuid);
  const { record, notes } = await snapshot(context.db, async () => ({
    record: await readPatientRecord(context.db, identity),
    notes: await readPatientNotes(context.db, identity),
  }));
  const films = (await Promise.all(record.films.map(({ id }) => findFilm(context.db, String(id)))))
    .filter((film) => film !== null)
    .filter(({ hasImage }) => hasImage);
  const fill = async (zip: ZipFile): Promise<PatientExport> => {
    addText(zip, "README.txt", `${sayIn(language)("privacy.readme", { program: context.programVersion })}\n`);
    addData(zip, { ...record, ...notes }, context);
    let count = 0;
    for (const film of films)
      if (await addFilm(zip, context, film, { language, isRead: isRead(record, film.id) })) count += 1;
    return { films: count, filmsWithoutFile: record.films.length - count };
  };
  const { patientId } = identity;
  return await writeZip(file, fill, (held) =>
    recordAudit(context.db, {
      action: "patient.exported",
      at: context.now(),
      patientId,
      detail: { films: held.films },
    }),
  );
}

/** Contains no personal data. */
export function exportName(at: Date): string {
  return `corvet-patient-${localDay(at)}.zip`;
}

function addData(zip: ZipFile, record: PatientRecord & PatientNotes, { now, programVersion }: ResultsContext): void {
  const tables = Object.entries(record).map(([table, rows]) => [table, rows.map(readable)] as const);
  const whole = { exportedAt: now().toISOString(), program: `Corvet ${programVersion}`, isClinicallyValidated: false };
  addText(zip, "data/patient.json", `${JSON.stringify({ ...whole, ...Object.fromEntries(tables) }, null, 2)}\n`);
  for (const [table, rows] of tables) if (rows.length > 0) addText(zip, `data/${table}.csv`, csvFile(tableOf(rows)));
}

/** @returns whether the film's file was added; if its picture cannot be decoded, only the results are omitted */
async function addFilm(
  zip: ZipFile,
  context: ExportContext,
  film: FilmRow,
  { language, isRead }: { readonly language: Language; readonly isRead: boolean },
): Promise<boolean> {
  const folder = `films/${localDay(new Date(film.takenAtMs))}-${film.id.slice(0, 8)}`;
  const original = await nullIfUnreadable(context, () =>
    readFilmImage(context, film.sha256, "original", film.frameIndex),
  );
  if (original === null) return false;
  zip.addBuffer(original, `${folder}/${portableName(film.fileName)}`, { compress: false });
  if (!isRead) return true;
  const results = await nullIfUnreadable(context, async () => ({
    handout: await makeHandout(context, film.id, language),
    objects: await makeResultObjects(context, film.id),
  }));
  if (results === null) return true;
  zip.addBuffer(results.handout.bytes, `${folder}/results/handout.pdf`, { compress: false });
  for (const { bytes, fileName } of results.objects) zip.addBuffer(Buffer.from(bytes), `${folder}/results/${fileName}`);
  return true;
}

function isRead({ readings }: PatientRecord, filmId: string): boolean {
  return readings.some((reading) => reading["film_id"] === filmId);
}

/** Formats times as ISO 8601 in UTC and parses JSON columns. */
function readable(row: StoredRow): StoredRow {
  const columns = Object.entries(row).map(([name, value]): [string, unknown] => {
    if (typeof value === "number" && /(_ms|Ms)$/.test(name))
      return [name.replace(/_?[mM]s$/, ""), new Date(value).toISOString()];
    if (Array.isArray(value)) return [name, value.map((one: unknown) => (isRow(one) ? readable(one) : one))];
    if (isRow(value)) return [name, readable(value)];
    const isJson = typeof value === "string" && /^[[{]/.test(value) && !freeTexts.has(name);
    return [name, isJson ? parsedOrText(value) : value];
  });
  return Object.fromEntries(columns);
}

/** Returns text that only resembles JSON, such as a microchip "[none]", unchanged. */
function parsedOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isRow(value: unknown): value is StoredRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const freeTexts = new Set(["name", "owner", "breed", "remark", "who", "file_name", "uuid", "uuid_nfc", "note"]);

function tableOf(rows: readonly StoredRow[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return csvText(
    names,
    rows.map((row) => names.map((name) => cellOf(row[name]))),
  );
}

function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  return typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
}

function addText(zip: ZipFile, name: string, text: string): void {
  zip.addBuffer(Buffer.from(text), name);
}
