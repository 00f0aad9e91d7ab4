import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";
import { latestProposal } from "../../../core/cardiac/agreement/latest-proposal.ts";
import { networksTier, reportedVerdict } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import { packFacts } from "../../../core/cardiac/verdict/provenance.ts";
import { roundScore } from "../../../core/cardiac/heart-score.ts";
import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import type { SidecarFormat } from "../../../core/contract/desktop/practice/folders.ts";
import { csvText } from "../../../core/csv-text.ts";
import { resultMessage } from "../../../core/hl7/result-message.ts";
import { languageOfLocale, type Language } from "../../../core/language/languages.ts";
import { hasScore, isClinicallyValidated } from "../../../core/cardiac/agreement/reported-readings.ts";
import { countingReading, type ResultSubject } from "../../dicom/results/result-subject.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { baseNameOf, makeHandout } from "../results/report-handout.ts";
import { readResultText, type ResultText } from "../results/result-text.ts";
import { getTrend } from "../worklist/trends/trends.ts";

/** `bytes` is null to delete the file of an earlier reading. */
export type Sidecar = { readonly fileName: string; readonly bytes: Uint8Array | null };

const imageFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "NOT_FOUND",
  "INVALID_IMAGE",
  "UNSUPPORTED_IMAGE",
  "IMAGE_TOO_MANY_PIXELS",
  "IMAGE_TOO_COSTLY",
  "INVALID_DICOM",
  "UNSUPPORTED_DICOM",
  "DICOM_WITHOUT_PIXELS",
]);

/**
 * Corrections reuse the file names. Without an intact film image the handout is omitted.
 *
 * @throws AppError as `readResultText`, and other errors of the handout
 */
export async function sidecarsOf(
  context: DesktopContext,
  filmId: string,
  formats: readonly SidecarFormat[],
): Promise<readonly Sidecar[]> {
  const of = await readResultText(context.db, filmId);
  const facts = factsOf(of, context);
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
        made.push({ fileName, bytes: Buffer.from(await messageText(of, context, newControlId())) });
        break;
      case "pdf":
        made.push({ fileName, bytes: of.film.hasImage ? await handoutIfAny(context, filmId) : null });
        break;
    }
  }
  return made;
}

/** A faulty image does not delay the other files. */
async function handoutIfAny(context: DesktopContext, filmId: string): Promise<Uint8Array | null> {
  try {
    return (await makeHandout(context, filmId, await handoutLanguage(context))).bytes;
  } catch (error) {
    if (!(error instanceof AppError) || !imageFaults.has(error.code)) throw error;
    context.log.warn({ code: error.code, filmId }, "results are written without the handout, which could not be made");
    return null;
  }
}

/** Receivers do not see the proposal, so accepted network points include their tier; a rejected reading has none. */
function reportedReading({ readings }: Pick<ResultSubject, "readings">): Reading {
  const reading = countingReading({ readings });
  const tier = reading.verdict === "rejected" ? null : networksTier(reading, latestProposal(readings));
  return { ...reading, verdict: reportedVerdict(readings), tier };
}

/** A flat object, so that CSV and JSON have the same fields. */
function factsOf({ film, subject, patientNumber, accessionNumber }: ResultText, { programVersion }: DesktopContext) {
  const reading = reportedReading(subject);
  const score = hasScore(reading) ? reading.score : null;
  const { patient } = subject;
  return {
    film: film.id,
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

/** MSH-10. */
export function newControlId(): string {
  return randomUUID().replaceAll("-", "").slice(0, 20);
}

/**
 * Also for a film removed from the worklist.
 *
 * @throws AppError NOT_FOUND for an erased film, CONFLICT without a reading
 */
export async function resultMessageOf(
  context: DesktopContext,
  { filmId, controlId }: { readonly filmId: string; readonly controlId: string },
  receiver: Receiver,
): Promise<string> {
  return messageText(await readResultText(context.db, filmId), context, controlId, receiver);
}

async function messageText(
  { film, subject, patientNumber, accessionNumber }: ResultText,
  { db, now, programVersion }: DesktopContext,
  controlId: string,
  receiver?: Receiver,
): Promise<string> {
  const { patient, takenAt, clinicName } = subject;
  return resultMessage({
    patient,
    patientNumber,
    accessionNumber,
    filmId: film.id,
    fileName: film.fileName,
    takenAt: takenAt ?? now(),
    reading: reportedReading(subject),
    trend: patient ? (await getTrend({ db }, patient.id)).points : [],
    clinicName,
    programVersion,
    isClinicallyValidated: isClinicallyValidated(subject),
    writtenAt: now(),
    controlId,
    ...(receiver && { receiver }),
  });
}

async function handoutLanguage({ db }: DesktopContext): Promise<Language> {
  const { language } = await getDesktopSettings(db);
  return language === "system" ? languageOfLocale(new Intl.DateTimeFormat().resolvedOptions().locale) : language;
}
