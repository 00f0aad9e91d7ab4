import { randomBytes, randomInt } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import { ZipFile } from "yazl";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { csvText, type CsvCell } from "../../../core/csv-text.ts";
import { sayIn } from "../../../core/language/say.ts";
import type { Deidentification } from "../../dicom/deidentification/deidentification.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import { hasValues } from "../../dicom/results/result-subject.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { findFilm, type FilmRow } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { reserveExport } from "../desktop/exports.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";
import { readFilm, type FilmOfResults } from "../results/film-of-results.ts";
import { handOutOf } from "../results/report-hand-out.ts";
import { resultObjectsOf } from "../results/result-objects.ts";
import { anonymousFilm } from "./anonymous-film.ts";

type Request = DesktopParsedRequest<"deidentify.export">;
type Wanted = Request["films"][number];

/** Whom a pseudonym stands for, and by how many days that patient's dates were moved. */
type Person = {
  readonly pseudonym: string;
  readonly shiftDays: number;
  readonly name: string;
  readonly owner: string;
  readonly number: string;
};
type ExportedFilm = {
  readonly film: FilmRow;
  readonly of: FilmOfResults;
  readonly person: Person;
  readonly folder: string;
};

/** Dates are moved back by one to ten years, so that none lies in the future. */
const shiftDays = { least: 365, most: 3650 } as const;

/**
 * Writes films, results, hand-outs and values into a ZIP after the basic profile of PS3.15. UIDs, pseudonyms and moved
 * dates agree with each other within the export, and with those of no other export.
 *
 * @returns `skipped`: films that are gone or whose image is not kept
 * @throws AppError what reading a film's file throws; nothing is exported then
 */
export async function exportDeidentified(
  context: DesktopContext,
  request: Request,
): Promise<DesktopResponse<"deidentify.export">> {
  const zip = new ZipFile();
  const { file, url } = await reserveExport(context.dataDir, "zip");
  const written = pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 }));
  // Nobody waits for it yet; what went wrong is thrown below.
  written.catch(() => undefined);
  const exported = await addFilms(zip, context, request);
  if (request.contents.includes("table")) zip.addBuffer(Buffer.from(tableOf(exported)), "values.csv");
  zip.addBuffer(Buffer.from(readme(request, context.programVersion)), "README.txt");
  zip.end();
  await written;
  const day = context.now().toISOString().slice(0, 10);
  for (const { film } of exported)
    await recordAudit(context.db, {
      action: "film.deidentified",
      at: context.now(),
      patientId: film.patientId,
      subject: film.id,
      detail: { dates: request.dates, withKeyFile: request.withKeyFile },
    });
  const ids = new Set(exported.map(({ film }) => film.id));
  return {
    download: { fileName: `corvet-anonymous-${day}.zip`, url },
    keyFile: request.withKeyFile
      ? { fileName: `corvet-who-is-who-${day}.csv`, mediaType: "text/csv", text: keyOf(exported) }
      : null,
    films: exported.length,
    skipped: request.films.map(({ filmId }) => filmId).filter((filmId) => !ids.has(filmId)),
  };
}

async function addFilms(zip: ZipFile, context: DesktopContext, request: Request): Promise<readonly ExportedFilm[]> {
  const secret = randomBytes(32).toString("hex");
  const people = new Map<string, Person>();
  const exported: ExportedFilm[] = [];
  for (const wanted of request.films) {
    const film = await findFilm(context.db, wanted.filmId);
    if (!film?.hasImage) continue;
    const named = await readFilm(context, film.id);
    const whose = film.patientId ?? named.subject.source?.text("00100020") ?? film.id;
    const person = people.get(whose) ?? newPerson(people.size + 1, named);
    people.set(whose, person);
    const folder = `${person.pseudonym}/film-${exported.length + 1}`;
    const of = await anonymousFilm(context, named, howOf(context, request, wanted, { person, secret }), folder);
    await addFilm(zip, context, { film, of, person, folder }, request);
    exported.push({ film, of: withoutPictures(of), person, folder });
  }
  return exported;
}

/** A thousand films do not fit into memory beside each other. */
function withoutPictures(of: FilmOfResults): FilmOfResults {
  return { ...of, original: new Uint8Array(), rectified: null };
}

function howOf(
  { programVersion }: DesktopContext,
  { dates, descriptors, keepsPatient }: Request,
  { areas }: Wanted,
  { person, secret }: { readonly person: Person; readonly secret: string },
): Deidentification {
  const { pseudonym } = person;
  const choices = { dates, descriptors, keepsPatient };
  return { choices, pseudonym, shiftDays: person.shiftDays, secret, areas, programVersion };
}

function newPerson(number: number, { subject: { patient, source } }: FilmOfResults): Person {
  return {
    pseudonym: `ANON-${randomBytes(3).toString("hex").toUpperCase()}-${number}`,
    shiftDays: -randomInt(shiftDays.least, shiftDays.most),
    name: patient?.name ?? source?.text("00100010") ?? "",
    owner: patient?.owner ?? source?.text("00102297") ?? "",
    number: source?.text("00100020") ?? patient?.uuid ?? "",
  };
}

async function addFilm(
  zip: ZipFile,
  context: DesktopContext,
  { of, folder }: ExportedFilm,
  { contents, language, dates }: Request,
): Promise<void> {
  const isRead = of.subject.readings.length > 0;
  const add = (name: string, bytes: Uint8Array) => zip.addBuffer(Buffer.from(bytes), `${folder}/${name}`);
  if (contents.includes("dicom")) {
    if (isDicom(of.original)) add("film.dcm", of.original);
    if (isRead) for (const { fileName, bytes } of await resultObjectsOf(context.dicom, of)) add(fileName, bytes);
  }
  if (contents.includes("picture")) add("film.png", await pictureOf(context, of));
  if (contents.includes("report") && isRead) {
    const printedAt = dates === "kept" ? context.now() : new Date(of.subject.readings.at(-1)?.at ?? context.now());
    const clinic = { name: "", address: "", logo: null };
    add("hand-out.pdf", (await handOutOf(context, of, { language, clinic, trend: [], printedAt })).bytes);
  }
}

async function pictureOf(context: DesktopContext, { original, film }: FilmOfResults): Promise<Uint8Array> {
  if (!isDicom(original)) return original;
  const image = await openRadiograph(context.dicom, original, { frameIndex: film.frameIndex });
  const { data, widthPx, heightPx, channels } = await image.fullColour();
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels } })
    .png()
    .toBuffer();
}

/** Values of the readings that count. */
function tableOf(films: readonly ExportedFilm[]): string {
  const header = ["patient", "film", "taken", "species", "breed", ...measures.map(({ name }) => name), "verdict"];
  const rows = films.map(({ of: { subject }, person, folder }): CsvCell[] => {
    const reading = subject.readings.at(-1);
    const score = hasValues(reading) ? reading?.score : null;
    return [
      person.pseudonym,
      folder,
      subject.takenAt?.toISOString().slice(0, 10) ?? null,
      subject.patient?.species ?? null,
      subject.patient?.breed ?? null,
      ...measures.map(({ name }) => score?.[name] ?? null),
      reading?.verdict ?? reading?.source ?? null,
    ];
  });
  return csvText(header, rows);
}

function keyOf(films: readonly ExportedFilm[]): string {
  const header = ["pseudonym", "name", "owner", "number", "days", "folder", "file", "film"];
  return csvText(
    header,
    films.map(({ film, person, folder }) => [
      person.pseudonym,
      person.name,
      person.owner,
      person.number,
      person.shiftDays,
      folder,
      film.fileName,
      film.id,
    ]),
  );
}

function readme({ language }: Request, program: string): string {
  return `${sayIn(language)("deidentify.readme", { program })}\n`;
}
