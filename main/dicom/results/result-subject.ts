import type { FilmScale } from "../../../core/annotations/film-scale.ts";
import type { AnimalInFile } from "../../../core/cardiac/reference/compared-animal.ts";
import type { OwnRange } from "../../../core/cardiac/reference/own-range.ts";
import type { PictureSize } from "../../../core/cardiac/points.ts";
import type { AnnotationVersion } from "../../../core/contract/desktop/annotations.ts";
import type { Reading } from "../../../core/contract/desktop/films.ts";
import type { Order } from "../../../core/contract/desktop/network/orders.ts";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import type { ElementValues } from "../elements/dicom-elements.ts";
import type { DataSet } from "./data-set.ts";

/** A film that a result refers to. */
export type ReferencedFilm = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly seriesInstanceUid: string;
  /** From 1; null for an object of one frame. */
  readonly frameNumber: number | null;
  /** Size of the referenced picture as it is stored [px]. */
  readonly size: PictureSize;
  /** Height of one of its pixels over its width. */
  readonly pixelAspect: number;
  /** What the object itself says; null where it says nothing of its greys. */
  readonly said: ElementValues | null;
};

/** The version of a film's drawings that counts, and what is known of its millimetres. */
export type FilmDrawings = Pick<AnnotationVersion, "set" | "at" | "who"> & { readonly scale: FilmScale | null };

/** Whose results they are. */
export type ResultPatient = Pick<Patient, "id" | "name" | "species" | "breed" | "owner" | "uuid">;

/** What results are made of. */
export type ResultSubject = {
  /** What the film's DICOM file says, whose patient and study the results share; null for a film that was a picture. */
  readonly source: ElementValues | null;
  /** Stands in for what the source does not say. */
  readonly patient: ResultPatient | null;
  readonly animalInFile?: AnimalInFile;
  /** null where it is not to be said. */
  readonly takenAt: Date | null;
  readonly imageSha256: string;
  /** What a film that was a picture was ordered as; null or absent where nobody knows. */
  readonly order?: Order | null;
  /**
   * The network's proposal if there is one that another reading came after, then the reading that counts; never empty.
   */
  readonly readings: readonly Reading[];
  /** What persons drew on the picture that the readings refer to; null or absent where nobody did. */
  readonly drawings?: FilmDrawings | null;
  readonly clinicName: string;
  /** The clinic's own reference ranges. */
  readonly ownRanges?: readonly OwnRange[];
  readonly programVersion: string;
  /** What says that the film is de-identified; the results then say it, too, and hold no private element. */
  readonly deidentification?: DataSet;
};

/** The reading that counts. */
export function countingReading({ readings }: Pick<ResultSubject, "readings">): Reading {
  return readings.at(-1) as Reading;
}
