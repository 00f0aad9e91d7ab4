import { studyVerdict } from "../../core/cardiac/verdict/film-verdict.ts";
import { noVerdictFacts } from "../../core/cardiac/verdict/verdict-facts.ts";
import { useFilmVerdict } from "../film/use-film-verdict.ts";
import { isHiddenFrom, useReaderMode } from "../state/films/reader-mode.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { VerdictMark } from "../ui/verdict-mark.tsx";
import { attributesOf, nameOf, UnassignedNote, type RowSlot } from "./film-row.tsx";
import type { ListEntry } from "./study-groups.ts";

type HeadProps<Kind extends ListEntry["kind"]> = {
  readonly entry: Extract<ListEntry, { kind: Kind }>;
  readonly slot: RowSlot;
};

const noAnimal = { patient: null, dicom: null };

export function StudyHead({ entry, slot }: HeadProps<"study">) {
  const text = useText();
  const format = useFormat();
  const { films, summary, measured, best, scatterTier } = entry.study;
  const isHidden = useReaderMode((mode) => films.some((film) => isHiddenFrom(mode, film)));
  const verdictOf = useFilmVerdict(best ?? noAnimal);
  const verdict = studyVerdict(verdictOf(best?.reading?.facts ?? noVerdictFacts), scatterTier);
  const [first] = films;
  if (!first) return null;
  return (
    <li {...attributesOf(slot)} className="study" data-testid="study">
      <div className="study-head">
        <span className="film-words">
          <span className="film-name">{nameOf(first)}</span>
          <span className="film-more quiet fine">
            {[
              format.day(first.takenAt),
              text("films.filtered", { count: films.length }),
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
              {verdict && <VerdictMark verdict={verdict} isBrief />}
            </span>
            <span className="visually-hidden">{text("result.vhsLong")}</span>
          </span>
        )}
      </div>
    </li>
  );
}

export function SeriesHead({ entry: { number, description }, slot }: HeadProps<"series">) {
  const text = useText();
  return (
    <li {...attributesOf(slot)} className="series-name quiet fine">
      {[text("studies.series", { number }), description].filter(Boolean).join(" · ")}
    </li>
  );
}
