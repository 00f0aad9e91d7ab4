import { z } from "zod";
import { reading } from "../../../core/contract/desktop/readings.ts";
import { provenance } from "../../../core/cardiac/verdict/provenance.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";
import { text, type DataSet } from "./data-set.ts";
import type { ReferencedFilm, ResultSubject } from "./result-subject.ts";

/** Private block of annotated pictures and presentation states. */
export const readingsTags = { creator: "00990010", readings: "00991001" } as const;
export const readingsCreator = "CORVET RESULTS 1";

/** Results are untrusted; only an installed pack can be verified as released by its publisher. */
const unverifiedProvenance = provenance
  .omit({ release: true })
  .extend({ isClinicallyValidated: z.literal(false).catch(false) });

/** A reading for transfer: the recipient assigns the film id and the version. */
export const restoredReading = reading
  .omit({ filmId: true, version: true })
  .extend({ provenance: unverifiedProvenance.nullable() });
export type RestoredReading = z.infer<typeof restoredReading>;

const packed = z.object({
  film: z.object({
    sopInstanceUid: z.string(),
    frameNumber: z.int().min(1),
    widthPx: z.int().min(1),
    heightPx: z.int().min(1),
  }),
  readings: z.array(restoredReading).min(1),
});
export type PackedReadings = z.infer<typeof packed>;

/**
 * Encodes readings as JSON in private elements, which a de-identified object must not have. Their film is the
 * referenced one, not the photograph that contained it.
 */
export function packedReadings(
  { sopInstanceUid, frameNumber, size }: ReferencedFilm,
  { readings, deidentification }: ResultSubject,
): DataSet {
  if (deidentification) return {};
  const value: PackedReadings = {
    film: { sopInstanceUid, frameNumber: frameNumber ?? 1, widthPx: size.widthPx, heightPx: size.heightPx },
    readings: readings.map((one) => restoredReading.parse({ ...one, popDetected: false, corners: null })),
  };
  return {
    [readingsTags.creator]: text("LO", readingsCreator),
    [readingsTags.readings]: text("UT", JSON.stringify(value)),
  };
}

export function unpackReadings(file: DicomElements): PackedReadings | null {
  if (file.text(readingsTags.creator) !== readingsCreator) return null;
  try {
    const bytes = file.bytes(readingsTags.readings);
    return bytes && packed.parse(JSON.parse(new TextDecoder().decode(bytes).replace(/[\0 ]+$/, "")));
  } catch {
    return null;
  }
}
