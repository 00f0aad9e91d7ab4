import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { shownMeasures } from "../../../core/cardiac/measures/read-measures.ts";
import { intervalOf } from "../../../core/cardiac/score-intervals.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { ReferenceBar } from "./reference-bar.tsx";
import { ScoreValue } from "./score-value.tsx";
import type { ShownResult } from "./use-shown-result.ts";

export function Scores({ result, isByHand }: { readonly result: ShownResult; readonly isByHand: boolean }) {
  const { score, intervals } = result;
  return (
    <div className="scores" aria-live="polite">
      {shownMeasures(score ?? {}).map((measure, index) => (
        <ScoreValue
          key={measure.name}
          measure={measure}
          value={score?.[measure.name] ?? null}
          interval={intervalOf(intervals, measure.name)}
          isByHand={isByHand}
          isFirst={index === 0}
        />
      ))}
    </div>
  );
}

export function ReferenceBars({ result, film }: { readonly result: ShownResult; readonly film: Film }) {
  const { score, intervals } = result;
  const animal = comparedAnimal(film.patient, film.dicom?.patient ?? null);
  return shownMeasures(score ?? {}).map((measure) => (
    <ReferenceBar
      key={measure.name}
      measure={measure}
      value={score?.[measure.name] ?? null}
      interval={intervalOf(intervals, measure.name)}
      animal={animal}
    />
  ));
}
