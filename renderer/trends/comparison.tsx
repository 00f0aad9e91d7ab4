import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { changeBetween } from "../../core/cardiac/agreement/change.ts";
import { changeText } from "../../core/cardiac/agreement/change-text.ts";
import { scoreErrorsOf } from "../../core/cardiac/agreement/score-errors.ts";
import { hasScore } from "../../core/cardiac/agreement/reported-readings.ts";
import type { HeartScore } from "../../core/cardiac/heart-score.ts";
import type { MeasureName } from "../../core/cardiac/measures/measures.ts";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { Reading } from "../../core/contract/desktop/readings.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { daysBetween } from "../../core/local-day.ts";
import { DrawingHint, DrawingTools } from "../film/annotations/drawing-tools.tsx";
import { spacingOf } from "../film/spacing/spacing.ts";
import { channelQuery, queryClient, useChannel } from "../state/queries.ts";
import { isHiddenFrom, useReaderMode } from "../state/films/reader-mode.ts";
import { useAnnotations } from "../state/drawing/annotations.ts";
import { faultText } from "../state/faults.ts";
import { useNavigation } from "../state/navigation.ts";
import { Button, Hint } from "../ui/button.tsx";
import { Empty, Loading, Stale } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { CommandTool } from "../ui/keys/command-tool.tsx";
import { useCommands, useKeys } from "../ui/keys/shortcuts.ts";
import { ComparedFilm } from "./compared-film.tsx";
import { LinkedTools } from "./linked-tools.tsx";
import { initialLinked, useLinkedCommands, type LinkChange } from "./linked-view.ts";
import { useTrends } from "./trends-slice.ts";

type Side = { readonly film: Film; readonly reading: Reading | null; readonly score: HeartScore | null };

export function Comparison() {
  const text = useText();
  const leaveKeys = useKeys("correct.leave");
  const marked = useTrends((state) => state.marked);
  const { sides, error } = useQueries({
    queries: marked.map(filmQuery),
    combine: sidesOf,
  });
  const [linked, setLinked] = useState(initialLinked);
  const [hasOverlay, setOverlay] = useState(true);
  const [isSwapped, setSwapped] = useState(false);
  const readerMode = useReaderMode();
  const inTime = useMemo(
    () =>
      sides
        ?.map((side) => (isHiddenFrom(readerMode, side.film) ? { ...side, reading: null, score: null } : side))
        .toSorted((a, b) => a.film.takenAt.localeCompare(b.film.takenAt)),
    [sides, readerMode],
  );
  const order = inTime?.map(({ film }) => film.id).join(" ") ?? "";
  // Stays the same while the films do, so that a new measurement does not interrupt drawing on them.
  const filmIds = useMemo(() => order.split(" "), [order]);
  const change = (part: LinkChange) =>
    setLinked((before) => ({ ...before, ...(typeof part === "function" ? part(before) : part) }));
  useLinkedCommands(linked, change);
  // With an active tool or a selection, Escape first deselects it.
  const isDrawing = useAnnotations(({ tool, selected }) => tool !== null || selected !== null);
  useCommands({
    "overlay.toggle": () => setOverlay(!hasOverlay),
    "compare.swap": () => setSwapped(!isSwapped),
    ...(!isDrawing && { "correct.leave": close }),
  });
  const retry = () => {
    for (const filmId of marked) void queryClient.refetchQueries({ queryKey: filmQuery(filmId).queryKey });
  };
  if (error !== null && sides === null)
    return (
      <Empty icon="alert" title={faultText(error)}>
        <div className="row">
          <Button icon="retry" onClick={retry}>
            {text("common.retry")}
          </Button>
          <Button onClick={close}>{text("common.close")}</Button>
        </div>
      </Empty>
    );
  if (!inTime || inTime.length < 2) return <Loading label={text("common.loading")} />;
  const titled = inTime.map((side, index) => ({ ...side, title: titleOf(text, index, inTime.length) }));
  const shown = isSwapped ? titled.toReversed() : titled;
  return (
    <section className="comparison" aria-label={text("trends.compareFilms")}>
      <Stale fault={error === null ? null : faultText(error)} onRetry={retry} />
      <header className="page-head comparison-head">
        <Differences sides={inTime} />
        <Hint text={text("common.close")} keys={leaveKeys}>
          <Button tone="plain" onClick={close}>
            {text("common.close")}
          </Button>
        </Hint>
      </header>
      <div className="comparison-tools" role="toolbar" aria-label={text("viewer.tools")}>
        <LinkedTools linked={linked} onChange={change} />
        <span className="tool-gap" />
        <CommandTool command="overlay.toggle" icon="eye" isPressed={hasOverlay} />
        <CommandTool command="compare.swap" icon="swap" isPressed={isSwapped} />
        <span className="tool-gap" />
        <DrawingTools filmIds={filmIds} canCalibrate={inTime.some(({ film }) => spacingOf(film) === null)} />
      </div>
      <div className={`compared of-${shown.length}`}>
        {shown.map((side) => (
          <ComparedFilm key={side.film.id} {...side} linked={linked} hasOverlay={hasOverlay} onLink={change} />
        ))}
        <DrawingHint />
      </div>
      <p className="quiet fine comparison-foot">{text("trends.linked")}</p>
    </section>
  );
}

function close(): void {
  const { isFromFilm, compare } = useTrends.getState();
  compare(false);
  if (isFromFilm) useNavigation.getState().go("films");
}

function filmQuery(filmId: string) {
  return channelQuery("films.get", { filmId });
}

type FilmQuery = UseQueryResult<DesktopResponse<"films.get">>;

/** Sides of the comparison, null until every film has been loaded; the same object while no film has changed. */
function sidesOf(films: readonly FilmQuery[]): { readonly sides: readonly Side[] | null; readonly error: unknown } {
  const loaded = films.flatMap(({ data }) => data ?? []);
  const error = films.find((query) => query.error !== null)?.error ?? null;
  return { sides: loaded.length === films.length ? loaded.map(sideOf) : null, error };
}

function sideOf({ film, readings }: DesktopResponse<"films.get">): Side {
  const reading = readings.at(-1) ?? null;
  return { film, reading, score: reading && hasScore(reading) ? reading.score : null };
}

function titleOf(text: ReturnType<typeof useText>, index: number, count: number): string {
  if (count === 2) return text(index === 0 ? "trends.earlier" : "trends.later");
  return text("trends.nth", { number: index + 1 });
}

function ChangeOfSides({
  name,
  sides,
  values: [before, after],
}: {
  readonly name: MeasureName;
  readonly sides: readonly [Side, Side];
  readonly values: readonly [before: number, after: number];
}) {
  const text = useText();
  const format = useFormat();
  const practice = useChannel("agreement.practiceErrors", {});
  if (practice.value === null && practice.fault === null) return null;
  const [from, to] = sides.map(
    ({ reading }) => reading && { ...scoreErrorsOf(reading), practice: practice.value ?? undefined },
  );
  const change = changeBetween(name, { value: before, errors: from ?? null }, { value: after, errors: to ?? null });
  return (
    <strong
      className={change.isBeyondNoise ? "data beyond-noise" : "data"}
      title={change.limit === null ? undefined : text("change.about")}
    >
      {changeText(change, { say: text, number: format.number })}
    </strong>
  );
}

function Differences({ sides }: { readonly sides: readonly Side[] }) {
  const text = useText();
  const format = useFormat();
  const [earliest, latest] = [sides[0] as Side, sides.at(-1) as Side];
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that opened the comparison has been removed, so the heading receives the focus.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  const days = daysBetween(new Date(earliest.film.takenAt), new Date(latest.film.takenAt));
  return (
    <div className="row" data-testid="differences">
      <h1 ref={heading} tabIndex={-1}>
        {text("trends.change")}
      </h1>
      {shownMeasures(...sides.map(({ score }) => score ?? {})).map(({ name, label }) => {
        const before = earliest.score?.[name] ?? null;
        const after = latest.score?.[name] ?? null;
        return (
          <span key={name} className="difference">
            <span className="quiet">{label}</span>
            <span className="data">{sides.map(({ score }) => format.score(score?.[name])).join(" → ")}</span>
            {before !== null && after !== null && (
              <ChangeOfSides name={name} sides={[earliest, latest]} values={[before, after]} />
            )}
          </span>
        );
      })}
      <span className="quiet">{text("trends.between", { days })}</span>
    </div>
  );
}
