import type { ReactNode } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { isHiddenFrom, useReaderMode } from "../state/films/reader-mode.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { TierMark } from "../ui/tier-mark.tsx";
import { nameOf, UnassignedNote, type RowSlot } from "./film-row.tsx";
import type { FilmGroup } from "./study-groups.ts";

type StudyProps = {
  readonly group: Extract<FilmGroup, { kind: "study" }>;
  readonly slot: RowSlot;
  readonly rowOf: (film: Film, inStudy: { readonly isBest: boolean }) => ReactNode;
};

/**
 * The films of one study under its patient and date, with the batch's value: the median, and which film is the best
 * one.
 */
export function StudyRows({ group, slot: { index: place, measure }, rowOf }: StudyProps) {
  const text = useText();
  const format = useFormat();
  const { films, summary, measured, tier } = group;
  const isHidden = useReaderMode((mode) => films.some((film) => isHiddenFrom(mode, film)));
  const [first] = films;
  if (!first) return null;
  const series = [...new Set(films.map(({ dicom }) => dicom?.seriesInstanceUid ?? null))];
  return (
    <li data-index={place} ref={measure} className="study" data-testid="study">
      <div className="study-head">
        <span className="film-words">
          <span className="film-name">{nameOf(first)}</span>
          <span className="film-more quiet fine">
            {[
              format.day(first.takenAt),
              text("studies.filmCount", { count: films.length }),
              first.patient?.owner ?? first.dicom?.studyDescription,
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
          <UnassignedNote film={first} />
        </span>
        {measured > 1 && !isHidden && (
          <span
            className="outcome"
            title={text("studies.scatter", { deviation: format.number(summary.vhsStd ?? 0, 2) })}
          >
            <span className="outcome-score data" data-testid="study-vhs">
              {format.score(summary.medianVhs)}
              <small> {text("result.unit")}</small>
            </span>
            <span className="fine study-median">
              <span className="quiet">{text("studies.medianOf", { count: measured })}</span>{" "}
              {tier && (
                <TierMark
                  tier={tier}
                  isPhotograph={films[summary.bestIndex ?? -1]?.reading?.popDetected ?? false}
                  isShort
                />
              )}
            </span>
            <span className="visually-hidden">{text("result.vhsLong")}</span>
          </span>
        )}
      </div>
      <ul>
        {films.map((film, index) => (
          <SeriesRow
            key={film.id}
            film={film}
            beginning={
              series.length > 1 && film.dicom?.seriesInstanceUid !== films[index - 1]?.dicom?.seriesInstanceUid
                ? series.indexOf(film.dicom?.seriesInstanceUid ?? null)
                : null
            }
          >
            {rowOf(film, { isBest: measured > 1 && !isHidden && index === summary.bestIndex })}
          </SeriesRow>
        ))}
      </ul>
    </li>
  );
}

/** A film's row, below the name of its series where that begins; a series without a number is counted. */
function SeriesRow({
  film,
  beginning,
  children,
}: {
  readonly film: Film;
  readonly beginning: number | null;
  readonly children: ReactNode;
}) {
  const text = useText();
  if (beginning === null) return children;
  const number = film.dicom?.seriesNumber ?? beginning + 1;
  return (
    <>
      <li className="series-name quiet fine">
        {[text("studies.series", { number }), film.dicom?.seriesDescription].filter(Boolean).join(" · ")}
      </li>
      {children}
    </>
  );
}
