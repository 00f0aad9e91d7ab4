import { useState } from "react";
import { useFilms, useWorklist } from "../../state/films/films.ts";
import { isHiddenFrom, useReaderMode } from "../../state/films/reader-mode.ts";
import { Button } from "../../ui/button.tsx";
import { Loading } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { UnderWay } from "../../ui/under-way.tsx";
import { isFiltered } from "./filters.ts";
import { FilmList } from "./film-list.tsx";
import type { ListActs } from "./use-list-acts.ts";
import type { ListedFilms } from "./use-listed-films.ts";
import { useStableRowActs, type RowActs } from "./use-stable-row-acts.ts";
import { FilmRow, type RowSlot } from "../film-row.tsx";
import { LeftAlone } from "../left-alone.tsx";
import type { useAnnotatedExport } from "../open-menu.tsx";
import { SetUpCard } from "../set-up-card.tsx";
import { targetFilms, useSelection } from "../../state/films/selection.ts";
import type { ListEntry } from "../study-groups.ts";
import { SeriesHead, StudyHead } from "../study-heads.tsx";

type ListBodyProps = {
  readonly list: ListedFilms;
  readonly acts: ListActs;
  readonly ask: RowActs["ask"];
  readonly exporting: ReturnType<typeof useAnnotatedExport>;
};

export function ListBody({ list, acts, ask, exporting }: ListBodyProps) {
  const text = useText();
  const { films, search, filters, opening } = useWorklist();
  // State instead of a ref, so that the list renders once the scrolling element exists.
  const [body, setBody] = useState<HTMLDivElement | null>(null);
  return (
    <div ref={setBody} className="worklist-body">
      <Opening />
      <LeftAlone />
      {exporting.isExporting && <UnderWay words={text("films.exporting")} onStop={exporting.stop} />}
      {films === null ? (
        <Loading label={text("common.loading")} />
      ) : films.length === 0 && !opening ? (
        <EmptyList search={search} isFiltered={isFiltered(filters)} />
      ) : (
        <Rows list={list} acts={acts} ask={ask} scroller={body} />
      )}
      <SetUpCard />
    </div>
  );
}

type RowsProps = Omit<ListBodyProps, "exporting"> & { readonly scroller: HTMLDivElement | null };

function Rows({ list: { rows, order, several, isTogether }, acts, ask, scroller }: RowsProps) {
  const { openId } = useWorklist();
  const selected = useSelection(({ ids }) => ids);
  const readerMode = useReaderMode();
  const rowActs = useStableRowActs({ press: acts.press, ask, meant: (filmId) => targetFilms(filmId, several) });
  const rowOf = (entry: ListEntry, slot: RowSlot) => {
    if (entry.kind === "study") return <StudyHead key={`study ${entry.study.id}`} entry={entry} slot={slot} />;
    if (entry.kind === "series")
      return <SeriesHead key={`series ${entry.number} ${entry.study.id}`} entry={entry} slot={slot} />;
    const [film] = entry.films;
    return (
      <FilmRow
        key={film.id}
        {...slot}
        film={film}
        isOpen={film.id === openId}
        isOfStudy={entry.study !== null}
        isBest={entry.isBest && !entry.study?.films.some((each) => isHiddenFrom(readerMode, each))}
        isSelected={isTogether && selected.has(film.id)}
        acts={rowActs}
      />
    );
  };
  return (
    <FilmList rows={rows} order={order} openId={openId} scroller={scroller} onExtend={acts.extend} rowOf={rowOf} />
  );
}

function Opening() {
  const text = useText();
  const opening = useFilms((state) => state.opening);
  if (!opening) return null;
  // A file may be a ZIP of many films, so the progress is unknown.
  return (
    <UnderWay
      words={text("films.opening", { done: opening.done + 1, all: opening.all })}
      stop={text("films.stopOpening")}
      onStop={useFilms.getState().stopOpening}
      share={opening.all > 1 ? opening : null}
    />
  );
}

function EmptyList(props: { readonly search: string; readonly isFiltered: boolean }) {
  const text = useText();
  const { setSearch } = useFilms.getState();
  return (
    <div className="worklist-empty">
      <p className="quiet">{text(props.search || props.isFiltered ? "films.nothingFound" : "films.noFilms")}</p>
      {props.search && <Button onClick={() => setSearch("")}>{text("films.clearSearch")}</Button>}
    </div>
  );
}
