import { z } from "zod";
import { reason, time } from "../shapes.ts";

const text = z.string().max(200).nullable();
const uid = z.string().min(1).max(64).nullable();

/** In the plane of the object, at the detector, or at the detector divided by the stated magnification. */
const spacingKinds = ["pixel", "imager", "magnification-corrected"] as const;

/** Attributes of a DICOM file, verbatim; null if absent. */
export const dicomInstance = z.object({
  sopClassUid: uid,
  sopInstanceUid: uid,
  studyInstanceUid: uid,
  seriesInstanceUid: uid,
  seriesNumber: z.number().nullable(),
  instanceNumber: z.number().nullable(),
  patient: z.object({
    id: text,
    issuer: text,
    /** Identifier derived from issuer and id; null without an id. */
    uuid: z.string().nullable(),
    name: text,
    responsiblePerson: text,
    species: z.enum(["dog", "cat", "other"]).nullable(),
    speciesText: text,
    breed: text,
    sex: z.enum(["male", "female", "other"]).nullable(),
    isNeutered: z.boolean().nullable(),
    /** As written: `003Y`. */
    age: text,
    /** Calendar day, `2019-05-30`. */
    birthDate: text,
  }),
  studyDescription: text,
  seriesDescription: text,
  accessionNumber: text,
  modality: text,
  bodyPart: text,
  viewPosition: text,
  laterality: text,
  /** Acquisition time; in the time zone of this computer if the file states none. */
  takenAt: time.nullable(),
  device: text,
  institution: text,
  widthPx: z.int().nullable(),
  heightPx: z.int().nullable(),
  frames: z.int().min(1),
  spacing: z.object({ rowMm: z.number(), columnMm: z.number(), kind: z.enum(spacingKinds) }).nullable(),
  isRadiograph: z.boolean(),
  /** Attributes that affect the picture, a measurement or a text but could not be used. */
  notices: z.array(reason).default([]),
});

export type DicomInstance = z.infer<typeof dicomInstance>;

/** A stored film lacks attributes that were added later, so a new attribute needs a default. */
export function storedInstance(facts: string): DicomInstance {
  return dicomInstance.parse(JSON.parse(facts));
}
