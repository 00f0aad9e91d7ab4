import { storableValue } from "../../../core/storable-text.ts";
import type { DicomFile } from "../dicom-file.ts";
import { unpackReadings, type PackedReadings } from "./packed-readings.ts";
import { readReport } from "./read-report.ts";
import { sopClasses } from "./uids.ts";

/** A result of this program, read again. A `picture` has its overlay burned in and must not be measured. */
export type ResultObject = PackedReadings & {
  readonly kind: "report" | "picture" | "presentation";
  readonly sopInstanceUid: string;
};

/**
 * Reads a structured report, an annotated picture or a presentation state that this program made.
 *
 * @returns readings oldest first, in pixels of the film as it is measured; null for every other object
 */
export function readResultObject(file: DicomFile): ResultObject | null {
  const sopInstanceUid = file.text("00080018");
  if (sopInstanceUid === null) return null;
  const sopClass = file.text("00080016");
  if (sopClass === sopClasses.secondaryCapture) return of("picture", sopInstanceUid, unpackReadings(file));
  if (sopClass === sopClasses.presentationState) return of("presentation", sopInstanceUid, unpackReadings(file));
  if (sopClass === sopClasses.comprehensiveReport) return of("report", sopInstanceUid, readReport(file));
  return null;
}

function of(kind: ResultObject["kind"], sopInstanceUid: string, found: PackedReadings | null): ResultObject | null {
  // A text may say what PostgreSQL cannot keep, or not read again.
  return found && { kind, sopInstanceUid, ...storableValue(found) };
}
