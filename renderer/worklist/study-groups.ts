import { summariseFrames, type BatchFrame, type BatchSummary } from "../../core/cardiac/best-photo.ts";
import type { ConfidenceTier } from "../../core/cardiac/confidence.ts";
import { tierOfCode } from "../../core/cardiac/result-codes.ts";
import { reasonToLeaveAlone } from "../../core/cardiac/left-alone.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { isPlacedByPerson } from "../../core/cardiac/agreement/placed-by-person.ts";

/**
 * Rows of the worklist that belong together: one film, or a patient's films of one study with what they say as a batch.
 */
export type FilmGroup =
  | { readonly kind: "film"; readonly films: readonly [Film] }
  | {
      readonly kind: "study";
      /** Names study and patient. */
      readonly id: string;
      readonly films: readonly Film[];
      readonly summary: BatchSummary;
      /** How far the networks agree; null where a person placed the points of the best film. */
      readonly tier: ConfidenceTier | null;
      readonly measured: number;
    };

/**
 * Puts a patient's films of a study together, at the place of the first, in the order of series and instance. A film
 * that is alone in its study stands alone: films of one study that were given to several patients are several animals'.
 */
export function groupFilms(films: readonly Film[]): readonly FilmGroup[] {
  const studies = new Map<string, Film[]>();
  for (const film of films) {
    const key = idOfStudy(film);
    studies.set(key, [...(studies.get(key) ?? []), film]);
  }
  return [...studies].map(([id, together]): FilmGroup => {
    const [first] = together;
    if (first && together.length === 1) return { kind: "film", films: [first] };
    const sorted = together.toSorted(byPlaceInStudy);
    const frames = sorted.map(frameOf);
    const summary = summariseFrames(frames);
    const best = sorted[summary.bestIndex ?? -1]?.reading ?? null;
    return {
      kind: "study",
      id,
      films: sorted,
      summary,
      tier: isPlacedByPerson(best) ? null : summary.vhsTier,
      measured: frames.filter((frame) => frame !== null).length,
    };
  });
}

/** Whoever has no patient yet is the animal that the file names. */
function idOfStudy({ id, patient, dicom }: Film): string {
  if (!dicom?.studyInstanceUid) return id;
  return JSON.stringify([dicom.studyInstanceUid, patient?.id ?? [dicom.patient.uuid, dicom.patient.name]]);
}

/** By series, also where series have no number; within one by instance and frame. */
function byPlaceInStudy(a: Film, b: Film): number {
  const naturally = (one: string, other: string) => one.localeCompare(other, undefined, { numeric: true });
  return (
    (a.dicom?.seriesNumber ?? 0) - (b.dicom?.seriesNumber ?? 0) ||
    naturally(a.dicom?.seriesInstanceUid ?? "", b.dicom?.seriesInstanceUid ?? "") ||
    (a.dicom?.instanceNumber ?? 0) - (b.dicom?.instanceNumber ?? 0) ||
    a.frameIndex - b.frameIndex ||
    naturally(a.fileName, b.fileName)
  );
}

/**
 * A film as the batch sees it; null without a valid score, when a person rejected it, and for another view, whose score
 * is no lateral's. What a person placed counts as certain.
 */
function frameOf({ reading, dicom }: Film): BatchFrame | null {
  if (reading === null || reading.vhs === null || reading.verdict === "rejected") return null;
  if (dicom && reasonToLeaveAlone({ ...dicom, species: dicom.patient.species }) !== null) return null;
  const { vhs, vlas, areAxesPerpendicular, popDetected, spread, sharpness } = reading;
  const isCertain = isPlacedByPerson(reading);
  return {
    tier: isCertain ? "optimal" : (reading.tier ?? tierOfCode(reading.resultCode)),
    popDetected,
    spread: isCertain ? 0 : spread,
    sharpness: sharpness ?? 0,
    score: { vhs, vlas, areAxesPerpendicular },
  };
}
