import { open, readFile } from "node:fs/promises";
import { TextDecoder } from "node:util";
import { AppError, because } from "../../../core/app-error.ts";
import { characterSetLabel } from "../../dicom/elements/character-set-label.ts";
import { firstRepetition, parseHl7, segmentOf } from "../../../core/hl7/hl7-message.ts";
import { messagesOfOnePatient, patientChangeOf, type PatientChange } from "../../../core/hl7/patient-message.ts";
import { isTemporary } from "../../../core/system-fault.ts";
import { faultOfIdentifier } from "../../../core/identifiers.ts";
import type { WatchedOutcome } from "../../store/films/watched-files.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { patientUuid } from "../../dicom/patient-uuid.ts";
import { transaction } from "../../store/engines/engine.ts";
import { findDicomPatient, linkDicomPatient } from "../../store/films/dicom/dicom-patients.ts";
import { addFormerNumber, restoreFormerNumber } from "../../store/films/merged-patients.ts";
import { findPatientByUuid } from "../../store/films/patients.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { isSameName } from "../worklist/import-dicom.ts";
import { patientsOfNumber } from "../worklist/orders/named-patient.ts";
import { savePracticePatient } from "../worklist/orders/practice-patient.ts";
import { joinPatients } from "../worklist/patients/patient-merges.ts";
import { publishPatient } from "../worklist/patients/patients.ts";

const fileLimitBytes = 4 * 1024 * 1024;

/** The other messages of a `failed` file are applied. `faults`: English reasons per message. */
type TakenFile = { readonly outcome: WatchedOutcome; readonly faults: readonly string[] };

/** Applies the patient data of an HL7 file; null for other files. */
export async function importPatientFile(context: DesktopContext, file: string): Promise<TakenFile | null> {
  const sizeBytes = await sizeOfHl7(file);
  if (sizeBytes === null) return null;
  let taken = 0;
  const faults: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || isTemporary(error.code)) throw error;
      context.log.warn({ code: error.code, why: error.reason?.name }, "an HL7 message could not be applied");
      faults.push(`${what}: ${error.message}`);
    }
  };
  await attempt("file", async () => {
    if (sizeBytes > fileLimitBytes) throw new AppError("INVALID_FIELD", because("hl7TooLong"));
    for (const [index, whole] of parseHl7(decodeHl7(await readFile(file))).entries())
      for (const message of messagesOfOnePatient(whole))
        await attempt(`message ${index + 1}`, async () => {
          const change = patientChangeOf(message);
          if (change === null) return;
          await applyChange(context, change);
          taken += 1;
        });
  });
  if (faults.length > 0) return { outcome: "failed", faults };
  return { outcome: taken > 0 ? "opened" : "passed-over", faults };
}

/**
 * Decodes HL7 bytes by byte order mark, then as UTF-8 if valid, regardless of MSH-18; otherwise by MSH-18, with Western
 * European as default.
 *
 * @throws AppError INVALID_FIELD for an unknown character set, and for bytes that are invalid in their character set
 */
function decodeHl7(bytes: Uint8Array): string {
  const utf16 = utf16LabelOf(bytes);
  if (utf16 !== null) return decodedAs(bytes, utf16, utf16.toUpperCase());
  const isAscii = bytes.every((byte) => byte < 0x80 && byte !== 0x1b);
  if (isAscii) return new TextDecoder("utf-8").decode(bytes);
  if (bytes.some((byte) => byte >= 0x80)) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {}
  }
  const name = characterSetIn(bytes);
  const label = characterSetLabel(name);
  if (label === null)
    throw new AppError("INVALID_FIELD", because("hl7UnknownCharacterSet", { name: name.slice(0, 40) }));
  return decodedAs(bytes, label, name);
}

function decodedAs(bytes: Uint8Array, label: string, name: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("INVALID_FIELD", because("hl7OtherCharacterSet", { name: name.slice(0, 40) }), { cause });
  }
}

function characterSetIn(bytes: Uint8Array): string {
  const start = bytes.findIndex((byte, at) => byte === 0x4d && bytes[at + 1] === 0x53 && bytes[at + 2] === 0x48);
  const end = bytes.findIndex((byte, at) => at > start && (byte === 0x0d || byte === 0x0a));
  const header = new TextDecoder("windows-1252").decode(
    bytes.subarray(Math.max(0, start), end < 0 ? bytes.length : end),
  );
  const [message] = parseHl7(header);
  return message ? firstRepetition(message, segmentOf(message, "MSH"), 18) : "";
}

/** Without a byte order mark, by a zero byte in the first character. */
function utf16LabelOf([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "utf-16be" : null;
}

/**
 * @throws AppError INVALID_FIELD for an invalid number, and for a merge of two species; CONFLICT if the former number
 * belongs to films of an animal with another name, or to several patients
 */
async function applyChange(context: DesktopContext, change: PatientChange): Promise<void> {
  const { patient } = change;
  const fault = faultOfIdentifier(patient.number);
  if (fault !== null) throw new AppError("INVALID_FIELD", `PID-3 ${fault}`);
  // Corvet has no values for other animals.
  if (patient.species === "other") return;
  const patientId = await savePracticePatient(context, patient);
  if (change.kind === "save") return;
  await mergeFormerNumber(context, patientId, change);
}

/** Without a patient of the former number, links the number for later use. */
async function mergeFormerNumber(
  context: DesktopContext,
  patientId: string,
  { patient, formerNumber }: Extract<PatientChange, { readonly kind: "merge" }>,
): Promise<void> {
  const fault = faultOfIdentifier(formerNumber);
  if (fault !== null) throw new AppError("INVALID_FIELD", `MRG-1 ${fault}`);
  if (comparedIdentifier(formerNumber) === comparedIdentifier(patient.number)) return;
  const [former, ...others] = await patientsOfNumber(context.db, formerNumber);
  if (others.length > 0) throw new AppError("CONFLICT", because("hl7AmbiguousNumber", { number: formerNumber }));
  if (!former) {
    await transaction(context.db, async () => {
      await addFormerNumber(context.db, patientId, formerNumber);
      const uuid = patientUuid(null, formerNumber);
      if ((await findDicomPatient(context.db, uuid)) === null)
        await linkDicomPatient(context.db, uuid, { patientId, name: patient.name, number: formerNumber });
    });
    return;
  }
  if (former.id === patientId) {
    // The numbers were merged in the opposite direction before; the last message decides which one is current.
    if (former.uuid !== null && comparedIdentifier(former.uuid) === comparedIdentifier(formerNumber)) {
      await restoreFormerNumber(context.db, patientId, patient.number);
      await publishPatient(context, patientId);
    }
    return;
  }
  // Films contain numbers of other practices, too, and a merge is permanent.
  const isIdentifier = (await findPatientByUuid(context.db, formerNumber)) !== null;
  if (!isIdentifier && !isSameName(former.name, patient.name))
    throw new AppError("CONFLICT", because("hl7OtherAnimal"));
  await joinPatients(context, { keptId: patientId, goneId: former.id });
}

/** Returns null unless the file begins like HL7 in any encoding. */
async function sizeOfHl7(file: string): Promise<number | null> {
  await using handle = await open(file, "r");
  const { size } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
  const start = buffer.toString("latin1").replace(/\u0000/g, "");
  const isHl7 = /^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\u000b?(MSH|FHS|BHS)[^A-Za-z0-9]/.test(start);
  return isHl7 ? size : null;
}
