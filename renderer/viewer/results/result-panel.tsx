import type { ReactNode } from "react";
import { placedHeart } from "../../../core/cardiac/measures/placed-heart.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { verdictFacts } from "../../../core/cardiac/verdict/verdict-facts.ts";
import { isSampleFilm } from "../../../core/sample-study.ts";
import { FilmNotices } from "../../film/notices/film-notices.tsx";
import { ChangeSinceVisit } from "../../film/notices/change-since-visit.tsx";
import { SameAnimalQuestion } from "../../film/notices/same-animal-question.tsx";
import { useFilmVerdict } from "../../film/use-film-verdict.ts";
import { useFilms } from "../../state/films/films.ts";
import { useIsHidden, useReaderMode } from "../../state/films/reader-mode.ts";
import { Button } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";
import { Notice } from "../../ui/empty.tsx";
import { PaneSeparator } from "../../ui/panes/pane-separator.tsx";
import { VerdictMark } from "../../ui/verdict-mark.tsx";
import { Decision } from "../decision/decision.tsx";
import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { hasScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import { lineLengths } from "../../film/spacing/spacing.ts";
import { Facts } from "./result-facts.tsx";
import { NotValidated } from "./not-validated.tsx";
import { ResearchFigures } from "./research-figures.tsx";
import { UnreadMarks } from "../stage/stage-annotations.tsx";
import { SentResults } from "./sent-results.tsx";
import { isInQueue, Standing } from "./standing.tsx";
import { Versions } from "./versions.tsx";
import { PanelHead } from "./panel-head.tsx";
import { ReferenceBars, Scores } from "./scores.tsx";
import { useShownResult, type ShownResult } from "./use-shown-result.ts";

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
  const isHidden = useIsHidden(film);
  const result = useShownResult(reading);
  const { isWorking } = result;
  return (
    <aside
      className="panel"
      aria-label={text("result.result")}
      aria-busy={film.reading !== null && !reading && !isHidden}
    >
      <PaneSeparator pane="panel" edge="start" label={text("common.widthOf", { pane: text("result.result") })} />
      <div className="panel-scroll" tabIndex={-1}>
        <PanelHead film={film} actions={actions} />
        {isSampleFilm(film) && <Notice tone="review">{text("sample.markLong")}</Notice>}
        <FilmNotices film={film} />
        <UnreadMarks key={`marks of ${film.id}`} filmId={film.id} />
        <SameAnimalQuestion film={film} />
        {isHidden && <HiddenResult />}
        {!isWorking && reading && <Verdict film={film} reading={reading} />}
        <Scores result={result} isByHand={isPlacedByPerson(reading)} />
        {isWorking ? <span className="quiet fine">{text("result.live")}</span> : <ChangeSinceVisit film={film} />}
        {!isWorking && <Standing film={film} reading={reading} />}
        {(isWorking || (reading && hasScore(reading)) || isInQueue(film)) && (
          <ReferenceBars result={result} film={film} />
        )}
        {!isWorking && !isHidden && <Versions film={film} />}
        {(isWorking || reading?.verdict !== "rejected") && (
          <ResultFacts result={result} reading={isWorking ? null : reading} film={film} />
        )}
        {!isWorking && reading && <ResearchFigures reading={reading} original={original} />}
        {!isWorking && !isHidden && <SentResults key={film.id} filmId={film.id} />}
      </div>
      <Decision film={film} reading={reading} original={original} />
      <NotValidated reading={reading} original={original} />
    </aside>
  );
}

function ResultFacts({
  result: { score, points, ruler, frame },
  reading,
  film,
}: {
  readonly result: ShownResult;
  readonly reading: Reading | null;
  readonly film: Film;
}) {
  return (
    <Facts
      score={score}
      heart={points && placedHeart((name) => points.heart[name])}
      ruler={ruler}
      frame={frame}
      reading={reading}
      lengths={points && lineLengths(points.heart, points.frame, film)}
    />
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
