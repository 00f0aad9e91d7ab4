import { open, readFile } from "node:fs/promises";
import { TextDecoder } from "node:util";
import { AppError, because } from "../../../core/app-error.ts";
import { hl7DecoderLabel } from "../../../core/hl7/hl7-character-set.ts";
import { parseHl7, repetitionsOf, segmentOf } from "../../../core/hl7/hl7-message.ts";
import { messagesOfOnePatient, patientChangeOf, type PatientChange } from "../../../core/hl7/patient-message.ts";
import { willPass } from "../../../core/system-fault.ts";
import { faultOfIdentifier } from "../../../core/identifiers.ts";
import type { WatchedOutcome } from "../../store/films/watched-files.ts";
import { findPatientByUuid } from "../../store/films/patients.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { isSameName } from "../worklist/import-dicom.ts";
import { patientsOfNumber } from "../worklist/orders/named-patient.ts";
import { saveToldPatient } from "../worklist/orders/told-patient.ts";
import { joinPatients } from "../worklist/patients/patient-merges.ts";

/** Far above what a file of patients is [bytes]. */
const fileLimitBytes = 4 * 1024 * 1024;

/**
 * Takes over the patients of an HL7 file.
 *
 * @returns null for a file that is none by its first bytes; `failed` where a message, or a merger of several in one,
 * could not be taken, the others are
 */
export async function takePatients(context: DesktopContext, file: string): Promise<WatchedOutcome | null> {
  const bytes = await readHl7(file);
  if (bytes === null) return null;
  let [taken, failed] = [0, 0];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || willPass(error.code)) throw error;
      context.log.warn({ code: error.code, why: error.reason?.name }, "an HL7 message could not be taken over");
      failed += 1;
    }
  };
  await attempt(async () => {
    for (const whole of parseHl7(decodeHl7(bytes)))
      for (const message of messagesOfOnePatient(whole))
        await attempt(async () => {
          const change = patientChangeOf(message);
          if (change === null) return;
          await applyChange(context, change);
          taken += 1;
        });
  });
  if (failed > 0) return "failed";
  return taken > 0 ? "opened" : "passed-over";
}

/** The byte order mark of UTF-8. */
const utf8Mark = [0xef, 0xbb, 0xbf];

/**
 * The text of HL7 bytes in UTF-8 where its mark is in front, else in the character set that MSH-18 names; without one
 * UTF-8, or Western European where they are not.
 */
function decodeHl7(bytes: Uint8Array): string {
  // The decoder takes the mark away.
  if (utf8Mark.every((byte, at) => bytes[at] === byte)) return new TextDecoder("utf-8").decode(bytes);
  const western = new TextDecoder("windows-1252").decode(bytes);
  const [first] = parseHl7(western);
  const said = first ? (repetitionsOf(first, segmentOf(first, "MSH"), 18)[0] ?? "") : "";
  const label = hl7DecoderLabel(said);
  if (label !== null) return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return western;
  }
}

/**
 * Adds, changes or merges a patient by the practice's number.
 *
 * @throws AppError INVALID_FIELD for a number that is no identifier, and for two of different species to be merged;
 * CONFLICT where the number to be merged is only that of films, and of an animal of another name
 */
async function applyChange(context: DesktopContext, change: PatientChange): Promise<void> {
  const { patient } = change;
  const fault = faultOfIdentifier(patient.number);
  if (fault !== null) throw new AppError("INVALID_FIELD", `PID-3 ${fault}`);
  // Neither a dog nor a cat: this program has no values for it.
  if (patient.species === "other") return;
  const patientId = await saveToldPatient(context, patient);
  if (change.kind === "save") return;
  const [former, ...others] = await patientsOfNumber(context.db, change.formerNumber);
  if (!former || others.length > 0 || former.id === patientId) return;
  // Films bring the numbers of whoever took them: another practice's may be the same. A merger is for good.
  const isIdentifier = (await findPatientByUuid(context.db, change.formerNumber)) !== null;
  if (!isIdentifier && !isSameName(former.name, patient.name))
    throw new AppError("CONFLICT", because("hl7OtherAnimal"));
  await joinPatients(context, { keptId: patientId, goneId: former.id });
}

/** null for a file that does not begin as HL7 does. */
async function readHl7(file: string): Promise<Uint8Array | null> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    const isHl7 = /^(\u00ef\u00bb\u00bf)?\u000b?(MSH|FHS|BHS)[^A-Za-z0-9]/.test(buffer.toString("latin1"));
    if (!isHl7 || size > fileLimitBytes) return null;
  } finally {
    await handle.close();
  }
  return readFile(file);
}
