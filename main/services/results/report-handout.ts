import sharp from "sharp";
import { AppError, because } from "../../../core/app-error.ts";
import { wordsOf, type Words } from "../../report/handout-texts.ts";
import type { AxisNames } from "../measuring/measurement-drawing.ts";
import type { Language } from "../../../core/language/languages.ts";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";
import { shownPoints } from "../../../core/contract/desktop/trends/trend-series.ts";
import { handoutName } from "../../../core/handout-name.ts";
import type { Handout, PrintedHandout } from "../../report/handout.ts";
import { filmOnPaper } from "../../report/film-on-paper.ts";
import type { ServiceContext } from "../measuring/service-context.ts";
import { numberOfPatient } from "../../store/films/patients.ts";
import { getFilm } from "../../store/films/films.ts";
import type { ResultsContext } from "./results-context.ts";
import { creditsOf } from "../../inference/packs/training-sources.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { drawReading } from "./drawn-reading.ts";
import { readFilmOfResults, type FilmOfResults } from "./film-of-results.ts";

const logoPixels = 4_000_000;

const extension = /\.[A-Za-z0-9]{1,5}$/;

/** File systems allow 255 bytes, including what follows the film's name. */
const maxNameBytes = 180;

export type HandoutFile = { readonly fileName: string; readonly bytes: Buffer };

/**
 * @throws AppError NOT_FOUND for a missing film or image, CONFLICT without a reading, INVALID_FIELD for an invalid logo
 */
export async function makeHandout(
  context: ResultsContext,
  filmId: string,
  language: Language,
  {
    audience = "veterinarian",
    isReaderMode = false,
  }: Pick<DesktopRequest<"reports.handout">, "audience" | "isReaderMode"> = {},
): ReturnType<typeof handoutOf> {
  const of = await readFilmOfResults(context, filmId);
  const { clinicName: name, clinicAddress: address, clinicLogo } = await getDesktopSettings(context.db);
  const { patientId } = await getFilm(context.db, filmId);
  const patient = of.subject.patient && {
    ...of.subject.patient,
    uuid:
      patientId === null ? null : await numberOfPatient(context.db, { id: patientId, uuid: of.subject.patient.uuid }),
  };
  return handoutOf(
    context,
    { ...of, subject: { ...of.subject, patient } },
    {
      language,
      audience,
      clinic: { name, address, logo: await logoOf(clinicLogo) },
      trend: shownPoints(of.subject.trend ?? [], isReaderMode),
      printedAt: context.now(),
    },
  );
}

export async function handoutOf(
  context: Pick<ServiceContext, "dicom" | "handouts">,
  of: FilmOfResults,
  sheet: Pick<Handout, "language" | "audience" | "clinic" | "trend" | "printedAt">,
): Promise<HandoutFile & Pick<PrintedHandout, "isShortened">> {
  const { subject, film, original, rectified } = of;
  const { patient, animalInFile, takenAt, readings, programVersion, ownRanges } = subject;
  const reading = readings.at(-1) as Handout["reading"];
  const drawn = await drawReading(context.dicom, rectified ?? original, readings, {
    frameIndex: film.frameIndex,
    isWithStrip: false,
    drawings: of.subject.drawings,
    ...markWords(sheet.language),
    onPaper: filmOnPaper,
  });
  const { data, widthPx, heightPx } = drawn;
  const jpeg = await sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .jpeg({ quality: 90, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const { pdf: bytes, isShortened } = await context.handouts.print({
    ...sheet,
    patient,
    animalInFile: animalInFile ?? null,
    ownRanges,
    takenAt,
    reading,
    programVersion,
    credits: creditsOf((reading.provenance ?? readings[0]?.provenance)?.packName ?? ""),
    fileName: film.fileName,
    film: { jpeg, widthPx, heightPx },
    proposal: readings.length > 1 ? (readings[0] ?? null) : null,
    remark: reading.remark,
  });
  return { fileName: handoutName({ patient, takenAt, filmName: baseNameOf(film.fileName) }), bytes, isShortened };
}

export function markWords(language: Language): { readonly write: Words["number"]; readonly names: AxisNames } {
  const { say, number } = wordsOf(language);
  const names = { long: say("handout.long"), short: say("handout.short"), decimalSign: number(0.5, 1).charAt(1) };
  return { write: number, names };
}

/** Valid on every file system, with room for a suffix. */
export function baseNameOf(fileName: string): string {
  const plain = fileName.replace(extension, "").replace(/[<>:"/\\|?*\p{Cc}]/gu, "_");
  // A truncated character decodes to U+FFFD.
  const cut = Buffer.from(plain)
    .subarray(0, maxNameBytes)
    .toString()
    .replace(/\ufffd+$/, "");
  return cut || "film";
}

export function portableName(fileName: string): string {
  return `${baseNameOf(fileName)}${extension.exec(fileName)?.[0] ?? ""}`;
}

async function logoOf(dataAddress: string): Promise<Buffer | null> {
  if (dataAddress === "") return null;
  try {
    const bytes = Buffer.from(dataAddress.slice(dataAddress.indexOf(",") + 1), "base64");
    return await sharp(bytes, { limitInputPixels: logoPixels }).flatten({ background: "white" }).png().toBuffer();
  } catch (cause) {
    throw new AppError("INVALID_FIELD", because("logoUnreadable"), { cause });
  }
}
