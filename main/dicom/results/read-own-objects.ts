import type { DicomElements } from "../elements/dicom-elements.ts";
import { sopClasses } from "./uids.ts";

/** Manufacturer of Corvet's objects, and content label of its presentation states. */
export const own = { manufacturer: "Corvet", marks: "HEART" } as const;

/** The film that a picture or marks of Corvet's refer to; `frameNumber` counts from 1. */
export type ReferredFrame = { readonly sopInstanceUid: string; readonly frameNumber: number };

/**
 * The film under Corvet's annotated picture, by standard elements alone: archives may strip private ones. null for
 * every other object, and for one without a reference.
 */
export function filmOfOwnPicture(file: DicomElements): ReferredFrame | null {
  const isDrawn = file.text("00080016") === sopClasses.secondaryCapture && file.text("00080008") === "DERIVED";
  return isDrawn && isOwn(file) ? referredIn(file.items("00082112")) : null;
}

/** The same of Corvet's marks. */
export function filmOfOwnMarks(file: DicomElements): ReferredFrame | null {
  const isMarks = file.text("00080016") === sopClasses.presentationState && file.text("00700080") === own.marks;
  return isMarks && isOwn(file)
    ? referredIn(file.items("00081115").flatMap((series) => series.items("00081140")))
    : null;
}

export function isOwn(file: DicomElements): boolean {
  return file.text("00080070") === own.manufacturer;
}

function referredIn([item]: readonly DicomElements[]): ReferredFrame | null {
  const sopInstanceUid = item?.text("00081155") ?? null;
  return sopInstanceUid === null ? null : { sopInstanceUid, frameNumber: item?.number("00081160") ?? 1 };
}
