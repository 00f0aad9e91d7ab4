import { randomBytes, randomInt } from "node:crypto";
import type { z } from "zod";
import type { DesktopParsedRequest } from "../../../core/contract/desktop.ts";
import type { textFile } from "../../../core/contract/desktop/shapes.ts";
import { csvText } from "../../../core/csv-text.ts";
import { localDay } from "../../../core/local-day.ts";
import type { Deidentification } from "../../dicom/deidentification/deidentification.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { findFilm, type FilmRow } from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { nullIfUnreadable } from "../desktop/null-if-unreadable.ts";
import { filedUnder } from "../results/film-identity.ts";
import { readFilm, type FilmOfResults } from "../results/film-of-results.ts";
import { filmFileName, filmObjectOf, resultObjectsOf } from "../results/result-objects.ts";
import { anonymousFilm } from "./anonymous-film.ts";

type Request = Pick<
  DesktopParsedRequest<"deidentify.export">,
  "films" | "dates" | "descriptors" | "keepsPatient" | "withKeyFile"
>;

type Person = {
  readonly pseudonym: string;
  readonly shiftDays: number;
  readonly name: string;
  readonly owner: string;
  readonly number: string;
};

export type AnonymousFilm = {
  readonly film: FilmRow;
  readonly of: FilmOfResults;
  readonly person: Person;
  readonly folder: string;
};

/** Into the past, never into the future [days]. */
const shiftDays = { least: 365, most: 3650 } as const;

/**
 * De-identifies films with the basic profile of PS3.15. UIDs, pseudonyms and shifted dates are consistent within an
 * export and unlinkable between exports. Skips missing films and missing or unreadable images.
 *
 * @throws AppError DISK_FULL, STORE_UNAVAILABLE and other errors not caused by a film
 */
export async function* anonymousFilms(context: DesktopContext, request: Request): AsyncGenerator<AnonymousFilm> {
  const secret = randomBytes(32).toString("hex");
  const people = new Map<string, Person>();
  let count = 0;
  for (const wanted of request.films) {
    const film = await findFilm(context.db, wanted.filmId);
    if (!film?.hasImage) continue;
    const named = await nullIfUnreadable(context, () => readFilm(context, film.id));
    if (named === null) continue;
    const whose = film.patientId ?? named.subject.source?.text("00100020") ?? film.id;
    const person = people.get(whose) ?? (await newPerson(context, people.size + 1, film, named));
    people.set(whose, person);
    const folder = `${person.pseudonym}/film-${++count}`;
    const how = howOf(context, request, wanted, { person, secret, frameIndex: film.frameIndex });
    const of = await nullIfUnreadable(context, () => anonymousFilm(context, named, how, folder));
    if (of !== null) yield { film, of, person, folder };
  }
}

/** A thousand pictures do not fit into memory. */
export function withoutPictures(left: AnonymousFilm): AnonymousFilm {
  return { ...left, of: { ...left.of, original: new Uint8Array(), rectified: null } };
}

/**
 * Returns the film itself if it is a DICOM object, and its results. A film whose file identifies another animal is
 * exported as the object its results reference, without the other animal's attributes.
 */
export async function anonymousObjects(
  dicom: DicomReader,
  of: FilmOfResults,
): Promise<readonly { readonly fileName: string; readonly bytes: Uint8Array }[]> {
  const results = of.subject.readings.length > 0 ? await resultObjectsOf(dicom, of) : [];
  if (!isDicom(of.original) || results.some(({ fileName }) => fileName === filmFileName)) return results;
  const film = of.pixelSource ? await filmObjectOf(dicom, of) : { fileName: filmFileName, bytes: of.original };
  return [film, ...results];
}

/** @param to  name of the receiving node */
export async function recordDeidentified(
  context: DesktopContext,
  films: readonly AnonymousFilm[],
  { dates, withKeyFile }: Request,
  to?: string,
): Promise<void> {
  for (const { film } of films)
    await recordAudit(context.db, {
      action: "film.deidentified",
      at: context.now(),
      patientId: film.patientId,
      subject: film.id,
      detail: { dates, withKeyFile, ...(to !== undefined && { to }) },
    });
}

export function keyFileOf(films: readonly AnonymousFilm[], now: Date): z.infer<typeof textFile> {
  const header = ["pseudonym", "name", "owner", "number", "days", "folder", "file", "film"];
  const rows = films.map(({ film, person, folder }) => [
    ...[person.pseudonym, person.name, person.owner, person.number, person.shiftDays],
    ...[folder, film.fileName, film.id],
  ]);
  const day = localDay(now);
  return { fileName: `corvet-who-is-who-${day}.csv`, mediaType: "text/csv", text: csvText(header, rows) };
}

function howOf(
  { programVersion }: DesktopContext,
  { dates, descriptors, keepsPatient }: Request,
  { areas }: Request["films"][number],
  { person, secret, frameIndex }: { readonly person: Person; readonly secret: string; readonly frameIndex: number },
): Deidentification {
  const { pseudonym } = person;
  const choices = { dates, descriptors, keepsPatient };
  return { choices, pseudonym, shiftDays: person.shiftDays, secret, frameIndex, areas, programVersion };
}

async function newPerson(
  { db }: DesktopContext,
  number: number,
  film: FilmRow,
  { subject }: FilmOfResults,
): Promise<Person> {
  const { patient, source } = subject;
  return {
    pseudonym: `ANON-${randomBytes(3).toString("hex").toUpperCase()}-${number}`,
    shiftDays: -randomInt(shiftDays.least, shiftDays.most),
    name: patient?.name ?? source?.text("00100010") ?? "",
    owner: patient?.owner ?? source?.text("00102297") ?? "",
    number: (await filedUnder(db, film, patient)).patientNumber ?? "",
  };
}
