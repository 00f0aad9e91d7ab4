import type { ReactNode } from "react";
import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { shownMeasures } from "../../../core/cardiac/measures/read-measures.ts";
import { placedHeart } from "../../../core/cardiac/measures/placed-heart.ts";
import { intervalOf } from "../../../core/cardiac/score-intervals.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { verdictFacts } from "../../../core/cardiac/verdict/verdict-facts.ts";
import { isSampleFilm } from "../../../core/sample-study.ts";
import { FilmNotices } from "../../film/notices/film-notices.tsx";
import { ChangeSinceVisit } from "../../film/notices/change-since-visit.tsx";
import { SameAnimalQuestion } from "../../film/notices/same-animal-question.tsx";
import { AlsoOpen } from "../../film/notices/also-open.tsx";
import { useFilmVerdict } from "../../film/use-film-verdict.ts";
import { useAnimalInFileWords, usePatientWords } from "../../patients/patient-words.ts";
import { useFilms } from "../../state/films/films.ts";
import { useIsHidden, useReaderMode } from "../../state/films/reader-mode.ts";
import { Button, Hint } from "../../ui/button.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { CommandTool } from "../../ui/keys/command-tool.tsx";
import { runCommand, useKeys } from "../../ui/keys/shortcuts.ts";
import { useText } from "../../ui/language/language.ts";
import { Notice } from "../../ui/empty.tsx";
import { PaneSeparator } from "../../ui/panes/pane-separator.tsx";
import { VerdictMark } from "../../ui/verdict-mark.tsx";
import { useCorrection } from "../correction/correction-slice.ts";
import { Decision } from "../decision/decision.tsx";
import { scoreOfDraft } from "../../film/draft/draft.ts";
import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { hasScore, reportedScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import { readingIntervals } from "../../../core/cardiac/agreement/score-errors.ts";
import { lineLengths } from "../../film/spacing/spacing.ts";
import { useDecisionPlace } from "../decision/decision-run.ts";
import { Facts } from "./result-facts.tsx";
import { NotValidated } from "./not-validated.tsx";
import { ReferenceBar } from "./reference-bar.tsx";
import { ResearchFigures } from "./research-figures.tsx";
import { ScoreValue } from "./score-value.tsx";
import { UnreadMarks } from "../stage/stage-annotations.tsx";
import { SentResults } from "./sent-results.tsx";
import { isInQueue, Standing } from "./standing.tsx";
import { Versions } from "./versions.tsx";

export function ResultPanel({
  film,
  reading,
  original,
  actions,
}: {
  readonly film: Film;
  readonly reading: Reading | null;
  readonly original: Reading | null;
  readonly actions?: ReactNode;
}) {
  const text = useText();
  const format = useFormat();
  const wordsOf = usePatientWords();
  const wordsInFile = useAnimalInFileWords();
  const patientKeys = useKeys("films.patient");
  const mode = useCorrection((state) => state.mode);
  const stack = useCorrection((state) => state.stack);
  const frame = useCorrection((state) => state.frame);
  const isHidden = useIsHidden(film);
  const name = film.patient?.name || film.fileName;
  const isWorking = mode !== "none";
  const live = isWorking ? scoreOfDraft(stack.present, reading) : null;
  const score = isWorking ? (live?.score ?? null) : reading && reportedScore(reading);
  const shown = shownMeasures(score ?? {});
  const isRejected = !isWorking && reading?.verdict === "rejected";
  const ruler = isWorking ? (live?.ruler ?? null) : (reading?.ruler ?? null);
  const points = isWorking
    ? { heart: stack.present.heart, frame }
    : reading?.heart
      ? { heart: reading.heart, frame: reading.frame }
      : null;
  const intervals = !isWorking && reading && hasScore(reading) ? readingIntervals(reading) : null;
  return (
    <aside
      className="panel"
      aria-label={text("result.result")}
      aria-busy={film.reading !== null && !reading && !isHidden}
    >
      <PaneSeparator pane="panel" edge="start" label={text("common.widthOf", { pane: text("result.result") })} />
      <div className="panel-scroll" tabIndex={-1}>
        <header className="panel-head">
          <div>
            <h2 title={name}>{name}</h2>
            <CommandTool command="films.previous" icon="filmAbove" />
            <CommandTool command="films.next" icon="filmBelow" />
            {film.patient && <CommandTool command="films.patient" icon="patient" />}
            {film.vhsChange && <CommandTool command="compare.before" icon="compare" />}
            {actions}
          </div>
          <span className="quiet fine" data-testid="film-facts">
            {[
              format.day(film.takenAt),
              ...(film.patient
                ? [wordsOf(film.patient, film.takenAt), film.fileName]
                : [film.dicom && wordsInFile(film.dicom.patient, film.takenAt)]),
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
          {!film.patient && (
            <Hint text={text("films.assignPatient")} keys={patientKeys}>
              <Button tone="plain" className="no-patient" onClick={() => runCommand("films.patient")}>
                {text("common.opensDialog", { label: text("films.noPatient") })}
              </Button>
            </Hint>
          )}
          <AlsoOpen filmId={film.id} />
          <DecisionPlace filmId={film.id} />
        </header>
        {isSampleFilm(film) && <Notice tone="review">{text("sample.markLong")}</Notice>}
        <FilmNotices film={film} />
        <UnreadMarks key={`marks of ${film.id}`} filmId={film.id} />
        <SameAnimalQuestion film={film} />
        {isHidden && <HiddenResult />}
        {!isWorking && reading && <Verdict film={film} reading={reading} />}
        <div className="scores" aria-live="polite">
          {shown.map((measure, index) => (
            <ScoreValue
              key={measure.name}
              measure={measure}
              value={score?.[measure.name] ?? null}
              interval={intervalOf(intervals, measure.name)}
              isByHand={isPlacedByPerson(reading)}
              isFirst={index === 0}
            />
          ))}
        </div>
        {isWorking ? <span className="quiet fine">{text("result.live")}</span> : <ChangeSinceVisit film={film} />}
        {!isWorking && <Standing film={film} reading={reading} />}
        {(isWorking || (reading && hasScore(reading)) || isInQueue(film)) &&
          shown.map((measure) => (
            <ReferenceBar
              key={measure.name}
              measure={measure}
              value={score?.[measure.name] ?? null}
              interval={intervalOf(intervals, measure.name)}
              animal={comparedAnimal(film.patient, film.dicom?.patient ?? null)}
            />
          ))}
        {!isWorking && !isHidden && <Versions film={film} />}
        {!isRejected && (
          <Facts
            score={score}
            heart={points && placedHeart((name) => points.heart[name])}
            ruler={ruler}
            frame={isWorking ? frame : (reading?.frame ?? null)}
            reading={isWorking ? null : reading}
            lengths={points && lineLengths(points.heart, points.frame, film)}
          />
        )}
        {!isWorking && reading && <ResearchFigures reading={reading} original={original} />}
        {!isWorking && !isHidden && <SentResults key={film.id} filmId={film.id} />}
      </div>
      <Decision film={film} reading={reading} original={original} />
      <NotValidated reading={reading} original={original} />
    </aside>
  );
}

function HiddenResult() {
  const text = useText();
  return (
    <Notice>
      <strong>{text("reader.hidden")}</strong>
      <div>{text("reader.hiddenHow")}</div>
      <Button onClick={() => useReaderMode.setState({ isOn: false })}>{text("reader.leave")}</Button>
    </Notice>
  );
}

function DecisionPlace({ filmId }: { readonly filmId: string }) {
  const text = useText();
  const place = useDecisionPlace(filmId);
  return place && <span className="quiet fine">{text("result.decisionPlace", place)}</span>;
}

function Verdict({ film, reading }: { readonly film: Film; readonly reading: Reading }) {
  const verdictOf = useFilmVerdict(film);
  const versions = useFilms((state) => state.readings);
  const verdict = verdictOf(verdictFacts(reading, versions));
  return (
    verdict && (
      <p className="verdict-line">
        <VerdictMark verdict={verdict} />
      </p>
    )
  );
}
