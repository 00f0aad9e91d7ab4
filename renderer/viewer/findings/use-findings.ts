import {
  findingsText,
  type FindingsBlock,
  type FindingsSubject,
  type FindingsWords,
} from "../../../core/cardiac/findings/findings-text.ts";
import { readingIntervals, scoreErrorsOf } from "../../../core/cardiac/agreement/score-errors.ts";
import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { referenceRangeFor } from "../../../core/cardiac/reference/reference-ranges.ts";
import type { MeasureName } from "../../../core/cardiac/measures/measures.ts";
import { intervalOf } from "../../../core/cardiac/score-intervals.ts";
import { filmVerdict } from "../../../core/cardiac/verdict/film-verdict.ts";
import { verdictFacts } from "../../../core/cardiac/verdict/verdict-facts.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import type { TrendPoint } from "../../../core/contract/desktop/patients.ts";
import { seriesOf, shownPoints } from "../../../core/contract/desktop/trends/trend-series.ts";
import { call } from "../../state/connection.ts";
import { useFilms } from "../../state/films/films.ts";
import { useReaderMode } from "../../state/films/reader-mode.ts";
import { useProgram } from "../../state/program.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useKeptText } from "../../ui/language/language.ts";

/** Words and formats of the findings, which are stored with the reading, in the language of the interface. */
export function useFindingsWords(): FindingsWords {
  const say = useKeptText();
  const format = useFormat();
  return { say, number: format.number, day: (atMs) => format.day(new Date(atMs).toISOString()) };
}

export function useFindingsBlocks(
  film: Film,
  reading: Reading | null,
): (blocks: readonly FindingsBlock[]) => Promise<string> {
  const words = useFindingsWords();
  return async (blocks) => {
    if (!reading) return "";
    const points = film.patient ? (await call("trends.get", { patientId: film.patient.id })).points : [];
    const subject = subjectOf(film, reading, shownPoints(points, useReaderMode.getState().isOn));
    return blocks
      .map((block) => findingsText(block, subject, words))
      .filter((text) => text !== "")
      .join("\n");
  };
}

function subjectOf(film: Film, reading: Reading, points: readonly TrendPoint[]): FindingsSubject {
  const { ownRanges } = useProgram.getState();
  const { species, breed, isSpeciesKnown } = comparedAnimal(film.patient, film.dicom?.patient ?? null);
  const measuredAs = (name: MeasureName) => ({
    value: reading.score?.[name] ?? null,
    interval: intervalOf(readingIntervals(reading), name),
    range: referenceRangeFor(name, species, breed, ownRanges),
  });
  const measured = { vhs: measuredAs("vhs"), vlas: measuredAs("vlas"), rlad: measuredAs("rlad") };
  const upToFilm = points.filter(({ at }) => at <= film.takenAt);
  return {
    measured,
    isSpeciesKnown,
    breed,
    series: {
      vhs: seriesOf(upToFilm, "vhs"),
      vlas: seriesOf(upToFilm, "vlas"),
      rlad: seriesOf(upToFilm, "rlad"),
    },
    errors: scoreErrorsOf(reading),
    takenAtMs: Date.parse(film.takenAt),
    verdict: filmVerdict(verdictFacts(reading, useFilms.getState().readings), measured.vhs.range),
    isPhotograph: reading.popDetected,
    isFallbackRuler: reading.ruler?.kind === "fallback",
  };
}
