import { measures } from "../../../core/cardiac/measures/measures.ts";
import { packFacts } from "../../../core/cardiac/radiograph-measurement.ts";
import { roundScore } from "../../../core/cardiac/heart-score.ts";
import type { SidecarFormat } from "../../../core/contract/desktop/practice/folders.ts";
import { csvText } from "../../../core/csv-text.ts";
import { controlIdOf, resultMessage } from "../../../core/hl7/result-message.ts";
import { languageOfLocale, type Language } from "../../../core/language/languages.ts";
import { countingReading, hasValues, isClinicallyValidated } from "../../dicom/results/result-subject.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { filedUnder } from "../results/film-identity.ts";
import { readFilmOfResults, type FilmOfResults } from "../results/film-of-results.ts";
import { baseNameOf, makeHandOut } from "../results/report-hand-out.ts";

/** A file for the outbox. */
type Sidecar = { readonly fileName: string; readonly bytes: Uint8Array };

/**
 * A film's results as files named after it. A correction writes them anew under the same names.
 *
 * @throws AppError as making a hand-out
 */
export async function sidecarsOf(
  context: DesktopContext,
  filmId: string,
  formats: readonly SidecarFormat[],
): Promise<readonly Sidecar[]> {
  const of = await readFilmOfResults(context, filmId);
  const facts = await factsOf(of, filmId, context);
  const name = `${baseNameOf(of.film.fileName)}-${filmId.slice(0, 8)}`;
  const made: Sidecar[] = [];
  for (const format of formats) {
    const fileName = `${name}.${format}`;
    switch (format) {
      case "json":
        made.push({ fileName, bytes: Buffer.from(`${JSON.stringify(facts, null, 2)}\n`) });
        break;
      case "csv":
        made.push({ fileName, bytes: Buffer.from(csvText(Object.keys(facts), [Object.values(facts)])) });
        break;
      case "hl7":
        made.push({ fileName, bytes: Buffer.from(await messageText(of, filmId, context)) });
        break;
      case "pdf":
        made.push({ fileName, bytes: (await makeHandOut(context, filmId, await handOutLanguage(context))).bytes });
        break;
    }
  }
  return made;
}

/** One level, so that a table and an object say the same. */
async function factsOf({ film, subject }: FilmOfResults, filmId: string, { db, programVersion }: DesktopContext) {
  const reading = countingReading(subject);
  const score = hasValues(reading) ? reading.score : null;
  const { patient } = subject;
  const { patientNumber, accessionNumber } = await filedUnder(db, subject);
  return {
    film: filmId,
    file: film.fileName,
    frame: film.frameIndex + 1,
    patient: patientNumber,
    name: patient?.name ?? null,
    owner: patient?.owner ?? null,
    accession: accessionNumber,
    taken: subject.takenAt?.toISOString() ?? null,
    ...Object.fromEntries(measures.map(({ name }) => [name, roundScore(score?.[name] ?? null)])),
    confidence: reading.tier,
    resultCode: reading.resultCode,
    verdict: reading.verdict,
    signedBy: reading.who,
    readAt: reading.at,
    version: reading.version,
    program: `Corvet ${programVersion}`,
    isClinicallyValidated: String(isClinicallyValidated(subject)),
    ...packFacts(subject.readings.findLast(({ provenance }) => provenance)?.provenance ?? null),
  };
}

type Receiver = { readonly application: string; readonly facility: string };

/** A film's reading as a message to a receiver, with its control id. @throws AppError NOT_FOUND, CONFLICT */
export async function resultMessageOf(context: DesktopContext, filmId: string, receiver: Receiver) {
  const of = await readFilmOfResults(context, filmId);
  const reading = countingReading(of.subject);
  const text = await messageText(of, filmId, context, receiver);
  return { text, controlId: controlIdOf(reading), readingId: reading.id };
}

async function messageText(
  { film, subject }: FilmOfResults,
  filmId: string,
  { db, now, programVersion }: DesktopContext,
  receiver?: Receiver,
): Promise<string> {
  const { patient, takenAt, clinicName } = subject;
  return resultMessage({
    patient,
    ...(await filedUnder(db, subject)),
    filmId,
    fileName: film.fileName,
    takenAt: takenAt ?? now(),
    reading: countingReading(subject),
    clinicName,
    programVersion,
    isClinicallyValidated: isClinicallyValidated(subject),
    writtenAt: now(),
    ...(receiver && { receiver }),
  });
}

/** The practice's language; that of this machine where the settings follow the system. */
async function handOutLanguage({ db }: DesktopContext): Promise<Language> {
  const { language } = await getDesktopSettings(db);
  return language === "system" ? languageOfLocale(new Intl.DateTimeFormat().resolvedOptions().locale) : language;
}
