import { summariseFrames, type BatchFrame, type BatchSummary } from "../../core/cardiac/best-photo.ts";
import type { ConfidenceTier } from "../../core/cardiac/confidence.ts";
import { tierOfCode } from "../../core/cardiac/result-codes.ts";
import { reasonToLeaveAlone } from "../../core/cardiac/left-alone.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { isPlacedByPerson } from "../../core/cardiac/agreement/placed-by-person.ts";

/** Worklist rows that belong together: one film, or a patient's films of one study with their batch result. */
export type FilmGroup =
  | { readonly kind: "film"; readonly films: readonly [Film] }
  | {
      readonly kind: "study";
      readonly id: string;
      readonly films: readonly Film[];
      readonly summary: BatchSummary;
      readonly best: Film | null;
      /** Tier as lowered by the scatter of the films' values; null if it is not lowered. */
      readonly scatterTier: ConfidenceTier | null;
      readonly measured: number;
    };

type Study = Extract<FilmGroup, { kind: "study" }>;

/** A row of the list: a film, or the heading of a study or of one of its series. Headings have no films. */
export type ListEntry =
  | {
      readonly kind: "film";
      readonly films: readonly [Film];
      readonly study: Study | null;
      /** Whether it is the best of several measured films. */
      readonly isBest: boolean;
    }
  | { readonly kind: "study"; readonly films: readonly []; readonly study: Study }
  | {
      readonly kind: "series";
      readonly films: readonly [];
      readonly study: Study;
      readonly number: number;
      readonly description: string | null;
    };

/** Rows of a group: a single film, or a heading and the films, with a heading for each of several series. */
export function entriesOf(group: FilmGroup): readonly ListEntry[] {
  if (group.kind === "film") return [{ kind: "film", films: group.films, study: null, isBest: false }];
  const { films, measured, summary } = group;
  const uidOf = (film: Film | undefined) => film?.dicom?.seriesInstanceUid ?? null;
  const series = [...new Set(films.map(uidOf))];
  const nameOfSeries = (film: Film): ListEntry => ({
    kind: "series",
    films: [],
    study: group,
    // A series without a number is numbered by its position.
    number: film.dicom?.seriesNumber ?? series.indexOf(uidOf(film)) + 1,
    description: film.dicom?.seriesDescription ?? null,
  });
  const isFirst = (film: Film, place: number) => place === 0 || uidOf(film) !== uidOf(films[place - 1]);
  const rows = films.flatMap((film, place): ListEntry[] => [
    ...(series.length > 1 && isFirst(film, place) ? [nameOfSeries(film)] : []),
    { kind: "film", films: [film], study: group, isBest: measured > 1 && place === summary.bestIndex },
  ]);
  return [{ kind: "study", films: [], study: group }, ...rows];
}

/**
 * Groups a patient's films of a study, at the position of the first, ordered by series and instance. A study with a
 * single film forms no group. Films of one study that are assigned to several patients form separate groups.
 */
export function groupFilms(films: readonly Film[]): readonly FilmGroup[] {
  const studies = new Map<string, Film[]>();
  for (const film of films) {
    const key = idOfStudy(film);
    const together = studies.get(key);
    if (together) together.push(film);
    else studies.set(key, [film]);
  }
  return [...studies].map(([id, together]): FilmGroup => {
    const [first] = together;
    if (first && together.length === 1) return { kind: "film", films: [first] };
    const sorted = together.toSorted(byPlaceInStudy);
    const frames = sorted.map(frameOf);
    const summary = summariseFrames(frames);
    const best = summary.bestIndex ?? -1;
    return {
      kind: "study",
      id,
      films: sorted,
      summary,
      best: sorted[best] ?? null,
      scatterTier: frames[best] && frames[best].tier !== summary.vhsTier ? summary.vhsTier : null,
      measured: frames.filter((frame) => frame !== null).length,
    };
  });
}

/** Identifies study and animal; an unassigned film belongs to the animal named in its file. */
function idOfStudy({ id, patient, dicom }: Film): string {
  if (!dicom?.studyInstanceUid) return id;
  return JSON.stringify([dicom.studyInstanceUid, patient?.id ?? [dicom.patient.uuid, dicom.patient.name]]);
}

const { compare: naturally } = new Intl.Collator(undefined, { numeric: true });

/** Orders by series, or its UID without a number, then by instance and frame. */
function byPlaceInStudy(a: Film, b: Film): number {
  return (
    (a.dicom?.seriesNumber ?? 0) - (b.dicom?.seriesNumber ?? 0) ||
    naturally(a.dicom?.seriesInstanceUid ?? "", b.dicom?.seriesInstanceUid ?? "") ||
    (a.dicom?.instanceNumber ?? 0) - (b.dicom?.instanceNumber ?? 0) ||
    a.frameIndex - b.frameIndex ||
    naturally(a.fileName, b.fileName)
  );
}

/**
 * A film as input of the batch result; null without a valid score, if rejected, or if its file states another view,
 * body part or species. Points placed by hand count as certain.
 */
function frameOf({ reading, dicom }: Film): BatchFrame | null {
  if (reading === null || reading.vhs === null || reading.verdict === "rejected") return null;
  if (dicom && reasonToLeaveAlone({ ...dicom, species: dicom.patient.species }) !== null) return null;
  const { vhs, vlas, areAxesPerpendicular, popDetected, spread, sharpness } = reading;
  const isCertain = isPlacedByPerson(reading);
  return {
    tier: isCertain ? "optimal" : (reading.facts.tier ?? tierOfCode(reading.resultCode)),
    popDetected,
    spread: isCertain ? 0 : spread,
    sharpness: sharpness ?? 0,
    score: { vhs, vlas, areAxesPerpendicular },
  };
}
