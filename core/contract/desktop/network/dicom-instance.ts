import { z } from "zod";
import { reason, time } from "../shapes.ts";

const said = z.string().max(200).nullable();
const uid = z.string().min(1).max(64).nullable();

/**
 * Origin of Pixel Spacing: calibrated or of the object, at the detector, or at the detector divided by the stated
 * magnification.
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
    /** Patient ID and who issued it. */
    id: said,
    issuer: said,
    /** Represents issuer and id; null without an id. */
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
  /** When the picture was taken; without a zone in the file, in that of this machine. */
  takenAt: time.nullable(),
  device: said,
  institution: said,
  widthPx: z.int().nullable(),
  heightPx: z.int().nullable(),
  frames: z.int().min(1),
  spacing: z.object({ rowMm: z.number(), columnMm: z.number(), kind: z.enum(spacingKinds) }).nullable(),
  isRadiograph: z.boolean(),
  /** What of the file could not be used although it decides the picture, a measurement or a text. */
  notices: z.array(reason).default([]),
});

export type DicomInstance = z.infer<typeof dicomInstance>;
