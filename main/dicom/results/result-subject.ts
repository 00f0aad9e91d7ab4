import type { FilmScale } from "../../../core/annotations/film-scale.ts";
import type { AnimalInFile } from "../../../core/cardiac/reference/compared-animal.ts";
import type { OwnRange } from "../../../core/cardiac/reference/own-range.ts";
import type { PictureSize } from "../../../core/cardiac/points.ts";
import type { AnnotationVersion } from "../../../core/contract/desktop/annotations.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import type { Order } from "../../../core/contract/desktop/network/orders.ts";
import type { Patient, TrendPoint } from "../../../core/contract/desktop/patients.ts";
import type { TrendValues } from "../../../core/contract/desktop/trends/trend-series.ts";
import type { ElementValues } from "../elements/dicom-elements.ts";
import type { DataSet } from "./data-set.ts";

export type ReferencedFilm = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly seriesInstanceUid: string;
  /** From 1; null for a single-frame object. */
  readonly frameNumber: number | null;
  /** Stored size of the referenced picture [px]. */
  readonly size: PictureSize;
  readonly pixelAspect: number;
  /** Elements of the object; null without grey attributes. */
  readonly said: ElementValues | null;
};

export type FilmDrawings = Pick<AnnotationVersion, "set" | "at" | "who"> & { readonly scale: FilmScale | null };

export type ResultPatient = Pick<Patient, "id" | "name" | "species" | "breed" | "owner" | "uuid"> &
  Partial<Pick<Patient, "sex" | "isNeutered" | "birthDate" | "weightKg">>;

export type ResultSubject = {
  /** Elements of the film's file, whose patient and study the results share; null for a film opened as a picture. */
  readonly source: ElementValues | null;
  readonly patient: ResultPatient | null;
  readonly animalInFile?: AnimalInFile;
  /** null to omit the date. */
  readonly takenAt: Date | null;
  readonly imageSha256: string;
  readonly order?: Order | null;
  /** The network's proposal if another reading followed it, then the reading that counts; never empty. */
  readonly readings: readonly Reading[];
  /** All values of the patient, oldest first; absent to omit the change since the previous visit. */
  readonly trend?: readonly (TrendValues[number] & Pick<TrendPoint, "source">)[];
  readonly drawings?: FilmDrawings | null;
  readonly clinicName: string;
  readonly ownRanges?: readonly OwnRange[];
  readonly programVersion: string;
  /** De-identification attributes of the film; the results then repeat them and contain no private elements. */
  readonly deidentification?: DataSet;
};

export function countingReading({ readings }: Pick<ResultSubject, "readings">): Reading {
  return readings.at(-1) as Reading;
}
