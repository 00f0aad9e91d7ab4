import sharp from "sharp";
import type { ZipFile } from "yazl";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { hasScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { csvFile, csvText, type CsvCell } from "../../../core/csv-text.ts";
import { sayIn } from "../../../core/language/say.ts";
import { localDay } from "../../../core/local-day.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { reserveExport, writeZip } from "../desktop/exports.ts";
import { nullIfUnreadable } from "../desktop/null-if-unreadable.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";
import type { FilmOfResults } from "../results/film-of-results.ts";
import { handoutOf } from "../results/report-handout.ts";
import {
  anonymousFilms,
  anonymousObjects,
  keyFileOf,
  recordDeidentified,
  withoutPictures,
  type AnonymousFilm,
} from "./anonymous-films.ts";

type Request = Omit<DesktopParsedRequest<"deidentify.export">, "exportId">;

/**
 * @returns `skipped`: missing films, and films with a missing or unreadable image
 * @throws AppError as `anonymousFilms`, AbortError; no file is exported then
 */
export async function exportDeidentified(
  context: DesktopContext,
  request: Request,
  signal: AbortSignal,
): Promise<DesktopResponse<"deidentify.export">> {
  const { file, url } = await reserveExport(context.dataDir, "zip");
  const fill = async (zip: ZipFile) => {
    const films = await addFilms(zip, context, request, signal);
    if (request.contents.includes("table")) zip.addBuffer(Buffer.from(csvFile(tableOf(films))), "values.csv");
    zip.addBuffer(Buffer.from(readme(request, context.programVersion)), "README.txt");
    return films;
  };
  const exported = await writeZip(file, fill, (films) => {
    signal.throwIfAborted();
    return recordDeidentified(context, films, request);
  });
  const day = localDay(context.now());
  const ids = new Set(exported.map(({ film }) => film.id));
  return {
    download: { fileName: `corvet-anonymous-${day}.zip`, url },
    keyFile: request.withKeyFile ? keyFileOf(exported, context.now()) : null,
    films: exported.length,
    skipped: request.films.map(({ filmId }) => filmId).filter((filmId) => !ids.has(filmId)),
  };
}

async function addFilms(
  zip: ZipFile,
  context: DesktopContext,
  request: Request,
  signal: AbortSignal,
): Promise<readonly AnonymousFilm[]> {
  const exported: AnonymousFilm[] = [];
  for await (const film of anonymousFilms(context, request)) {
    signal.throwIfAborted();
    const files = await nullIfUnreadable(context, () => filesOf(context, film, request));
    if (files === null) continue;
    for (const { name, bytes } of files) zip.addBuffer(Buffer.from(bytes), `${film.folder}/${name}`);
    exported.push(withoutPictures(film));
  }
  return exported;
}

async function filesOf(
  context: DesktopContext,
  { of }: AnonymousFilm,
  { contents, language, dates }: Request,
): Promise<readonly { readonly name: string; readonly bytes: Uint8Array }[]> {
  const isRead = of.subject.readings.length > 0;
  const files: { name: string; bytes: Uint8Array }[] = [];
  const add = (name: string, bytes: Uint8Array) => files.push({ name, bytes });
  if (contents.includes("dicom"))
    for (const { fileName, bytes } of await anonymousObjects(context.dicom, of)) add(fileName, bytes);
  if (contents.includes("picture")) add("film.png", await pictureOf(context, of));
  if (contents.includes("report") && isRead) {
    const printedAt = dates === "kept" ? context.now() : new Date(of.subject.readings.at(-1)?.at ?? context.now());
    const clinic = { name: "", address: "", logo: null };
    add(
      "handout.pdf",
      (await handoutOf(context, of, { language, audience: "veterinarian", clinic, trend: [], printedAt })).bytes,
    );
  }
  return files;
}

async function pictureOf(context: DesktopContext, { original, film }: FilmOfResults): Promise<Uint8Array> {
  if (!isDicom(original)) return original;
  const image = await openRadiograph(context.dicom, original, { frameIndex: film.frameIndex });
  const { data, widthPx, heightPx, channels } = await image.fullColour();
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels } })
    .png()
    .toBuffer();
}

function tableOf(films: readonly AnonymousFilm[]): string {
  const header = ["patient", "film", "taken", "species", "breed", ...measures.map(({ name }) => name), "verdict"];
  const rows = films.map(({ of: { subject }, person, folder }): CsvCell[] => {
    const reading = subject.readings.at(-1);
    const score = reading && hasScore(reading) ? reading.score : null;
    return [
      person.pseudonym,
      folder,
      subject.takenAt && localDay(subject.takenAt),
      subject.patient?.species ?? null,
      subject.patient?.breed ?? null,
      ...measures.map(({ name }) => score?.[name] ?? null),
      reading?.verdict ?? reading?.source ?? null,
    ];
  });
  return csvText(header, rows);
}

function readme({ language }: Request, program: string): string {
  return `${sayIn(language)("deidentify.readme", { program })}\n`;
}
