import { storableValue } from "../../../core/storable-text.ts";
import type { DicomFile } from "../dicom-file.ts";
import { filmOfOwnMarks, filmOfOwnPicture, type ReferredFrame } from "./read-own-objects.ts";
import { unpackReadings, type PackedReadings } from "./packed-readings.ts";
import { readReport } from "./read-report.ts";
import { sopClasses } from "./uids.ts";

/** A result created by Corvet. A `picture` has its overlay burned in and must not be measured. */
export type ResultObject = {
  readonly kind: "report" | "picture" | "presentation";
  readonly sopInstanceUid: string;
  readonly film: ReferredFrame;
  readonly readings: PackedReadings["readings"];
};

/** Readings are oldest first, in pixels of the measured film; empty for an object that lost its private elements. */
export function readResultObject(file: DicomFile): ResultObject | null {
  const sopInstanceUid = file.text("00080018");
  if (sopInstanceUid === null) return null;
  const sopClass = file.text("00080016");
  if (sopClass === sopClasses.secondaryCapture)
    return of("picture", sopInstanceUid, unpackReadings(file) ?? withoutReadings(filmOfOwnPicture(file)));
  if (sopClass === sopClasses.presentationState)
    return of("presentation", sopInstanceUid, unpackReadings(file) ?? withoutReadings(filmOfOwnMarks(file)));
  if (sopClass === sopClasses.comprehensiveReport) return of("report", sopInstanceUid, readReport(file));
  return null;
}

type Found = Pick<ResultObject, "film" | "readings">;

function withoutReadings(film: ReferredFrame | null): Found | null {
  return film && { film, readings: [] };
}

function of(kind: ResultObject["kind"], sopInstanceUid: string, found: Found | null): ResultObject | null {
  // Texts may contain characters that PostgreSQL cannot store or return.
  return found && { kind, sopInstanceUid, ...storableValue(found) };
}
