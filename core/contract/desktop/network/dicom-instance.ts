import { z } from "zod";
import { reason, time } from "../shapes.ts";

const said = z.string().max(200).nullable();
const uid = z.string().min(1).max(64).nullable();

/**
 * Origin of the pixel spacing: calibrated or in the plane of the object, at the detector, or at the detector divided by
 * the stated magnification.
 */
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
    /** Patient ID and its issuer. */
    id: said,
    issuer: said,
    /** Identifier derived from issuer and id; null without an id. */
    uuid: z.string().nullable(),
    name: said,
    responsiblePerson: said,
    species: z.enum(["dog", "cat", "other"]).nullable(),
    speciesText: said,
    breed: said,
    sex: z.enum(["male", "female", "other"]).nullable(),
    isNeutered: z.boolean().nullable(),
    /** As written: `003Y`. */
    age: said,
    /** Calendar day, `2019-05-30`. */
    birthDate: said,
  }),
  studyDescription: said,
  seriesDescription: said,
  accessionNumber: said,
  modality: said,
  bodyPart: said,
  viewPosition: said,
  laterality: said,
  /** Acquisition time; in the time zone of this computer if the file states none. */
  takenAt: time.nullable(),
  device: said,
  institution: said,
  widthPx: z.int().nullable(),
  heightPx: z.int().nullable(),
  frames: z.int().min(1),
  spacing: z.object({ rowMm: z.number(), columnMm: z.number(), kind: z.enum(spacingKinds) }).nullable(),
  isRadiograph: z.boolean(),
  /** Attributes that affect the picture, a measurement or a text but could not be used. */
  notices: z.array(reason).default([]),
});

export type DicomInstance = z.infer<typeof dicomInstance>;
