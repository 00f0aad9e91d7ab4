import type { DicomElements } from "../elements/dicom-elements.ts";
import { sopClasses } from "./uids.ts";

/** Manufacturer of Corvet's objects, and content label of its presentation states. */
export const own = { manufacturer: "Corvet", marks: "HEART" } as const;

/** The film that an annotated picture or a presentation state refers to; `frameNumber` counts from 1. */
export type ReferredFrame = { readonly sopInstanceUid: string; readonly frameNumber: number };

/** Uses standard elements only, here and below, since archives may strip private ones. */
export function filmOfOwnPicture(file: DicomElements): ReferredFrame | null {
  const isDrawn = file.text("00080016") === sopClasses.secondaryCapture && file.text("00080008") === "DERIVED";
  return isDrawn && isOwn(file) ? referredIn(file.items("00082112")) : null;
}

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
