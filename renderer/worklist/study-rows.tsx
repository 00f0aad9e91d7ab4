import type { ReactNode } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";
import { filmMessages } from "../ui/messages/films.ts";
import { studyMessages } from "../ui/messages/studies.ts";
import { resultMessages } from "../ui/messages/result.ts";
import { TierMark } from "../ui/tier-mark.tsx";
import type { FilmGroup } from "./study-groups.ts";

type StudyProps = { readonly group: Extract<FilmGroup, { kind: "study" }>; readonly rowOf: (film: Film, isBest: boolean) => ReactNode };

/** The films of one study under its patient and date, with the batch's value: the median, and which film is the best one. */
export function StudyRows({ group, rowOf }: StudyProps) {
  const text = useText();
  const format = useFormat();
  const { films, summary, measured } = group;
  const [first] = films;
  if (!first) return null;
  const name = first.patient?.name ?? first.dicom?.patient.name ?? text(filmMessages.noPatient);
  const series = new Set(films.map(({ dicom }) => dicom?.seriesInstanceUid ?? null));
  return (
    <li className="study" data-testid="study">
      <div className="study-head">
        <span className="film-words">
          <span className="film-name">{name}</span>
          <span className="film-more quiet fine">{[format.day(first.takenAt), text(studyMessages.filmCount, { count: films.length }), first.dicom?.studyDescription].filter(Boolean).join(" · ")}</span>
        </span>
        {measured > 1 && (
          <span className="outcome" title={text(studyMessages.scatter, { deviation: format.number(summary.vhsStd ?? 0, 2) })}>
            <span className="outcome-score data" data-testid="study-vhs">{format.score(summary.medianVhs)}</span>
            <span className="fine study-median"><span className="quiet">{text(studyMessages.medianOf, { count: measured })}</span> <TierMark tier={summary.vhsTier} isShort /></span>
            <span className="visually-hidden">{text(resultMessages.vhsLong)}</span>
          </span>
        )}
      </div>
      <ul>
        {films.map((film, index) => (
          <SeriesRow key={film.id} film={film} isFirst={series.size > 1 && film.dicom?.seriesInstanceUid !== films[index - 1]?.dicom?.seriesInstanceUid}>
            {rowOf(film, measured > 1 && index === summary.bestIndex)}
          </SeriesRow>
        ))}
      </ul>
    </li>
  );
}

/** A film's row, below the name of its series where that begins. */
function SeriesRow({ film, isFirst, children }: { readonly film: Film; readonly isFirst: boolean; readonly children: ReactNode }) {
  const text = useText();
  const { seriesNumber, seriesDescription } = film.dicom ?? { seriesNumber: null, seriesDescription: null };
  return (
    <>
      {isFirst && <li className="series-name quiet fine">{[text(studyMessages.series, { number: seriesNumber ?? "" }).trim(), seriesDescription].filter(Boolean).join(" · ")}</li>}
      {children}
    </>
  );
}
