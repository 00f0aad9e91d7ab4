import "./worklist.css";
import { useMemo, useRef, useState } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { useAnnotations } from "../state/drawing/annotations.ts";
import { attempt } from "../state/faults.ts";
import { useFilms, useOpenFilm, useWorklist } from "../state/films/films.ts";
import { isHiddenFrom, useReaderMode } from "../state/films/reader-mode.ts";
import { useRemovals } from "../state/films/removals.ts";
import { useNavigation } from "../state/navigation.ts";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";
import { useText } from "../ui/language/language.ts";
import { movesToResults } from "../ui/keys/shortcut-keys.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";
import { PaneSeparator } from "../ui/panes/pane-separator.tsx";
import { UnderWay } from "../ui/under-way.tsx";
import { FileFacts } from "./file-facts.tsx";
import { isFiltered } from "./list/filters.ts";
import { AssignDialog } from "./selection/assign-dialog.tsx";
import { FilmList } from "./list/film-list.tsx";
import { focusedFilm, focusRow } from "./list/walk-rows.ts";
import { FilterBar } from "./list/filter-bar.tsx";
import { beginOfPart, layRows, type ListRows } from "./list/list-rows.ts";
import { useStableRowActs, type RowActs } from "./list/use-stable-row-acts.ts";
import { FilmRow, type RowSlot } from "./film-row.tsx";
import { FrameDialog } from "./frame-dialog.tsx";
import { LeftAlone } from "./left-alone.tsx";
import { OpenMenu, useAnnotatedExport } from "./open-menu.tsx";
import { KeyFilmsDialog } from "./key-films/key-films-dialog.tsx";
import { NextOrder } from "./orders/next-order.tsx";
import { OrdersDialog } from "./orders/orders-dialog.tsx";
import { PacsDialog } from "./pacs/pacs-dialog.tsx";
import { PatientDialog } from "./patient-dialog.tsx";
import { removeWithUndo } from "./selection/removal.ts";
import { SetUpCard } from "./set-up-card.tsx";
import { SelectionBar } from "./selection/selection-bar.tsx";
import { nearestTo } from "../state/films/listed-films.ts";
import { targetFilms, useSelection } from "../state/films/selection.ts";
import { usePermission } from "../state/people.ts";
import { groupFilms, type FilmGroup, type ListEntry } from "./study-groups.ts";
import { SeriesHead, StudyHead } from "./study-heads.tsx";

type Asked = {
  readonly about: "patient" | "facts" | "frames";
  readonly film: Film;
  readonly filmIds: readonly string[];
};

export function Worklist() {
  const text = useText();
  const { films, gaps, search, filters, openId, opening, hidden } = useWorklist();
  const { setSearch } = useFilms.getState();
  const { ids: selected, isPicking, only, toggle, extendTo, all } = useSelection();
  const leave = useNavigation((state) => state.leave);
  const openFilm = useOpenFilm();
  const mayRemove = usePermission("remove");
  const readerMode = useReaderMode();
  const isDrawing = useAnnotations(({ selected, drawing, tool }) => (selected ?? drawing ?? tool) !== null);
  // State instead of a ref, so that the list renders once the scrolling element exists.
  const [body, setBody] = useState<HTMLDivElement | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const exporting = useAnnotatedExport();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [searching, setSearching] = useState<"pacs" | "orders" | "keyFilms" | null>(null);
  const groups = useMemo(() => groupFilms((films ?? []).filter(({ id }) => !hidden.has(id))), [films, hidden]);
  const order = useMemo(() => orderOf(groups), [groups]);
  const rows = useMemo(() => layRows({ films: films ?? [], gaps }, groups), [films, gaps, groups]);
  const several = order.filter((id) => selected.has(id));
  const isTogether = isPicking || several.length > 1;
  const open = (id: string | undefined) => {
    if (!id) return;
    only(id);
    if (id !== openId) leave(() => useFilms.getState().open(id));
  };
  const openBeside = async (step: 1 | -1) => {
    const at = order.indexOf(openId ?? "");
    const beside = besideFilm(rows, openId ?? "", step);
    const next = order[at + step];
    const missing = next ? rows.missingBetween(openId ?? "", next) : beside?.kind === "missing" ? beside : null;
    if (!missing || at < 0) return open(next);
    await useFilms.getState().listPart(missing.gap, beginOfPart(missing));
    const listed = orderOf(listedGroups());
    open(listed[listed.indexOf(openId ?? "") + step]);
  };
  const extend = async (id: string) => {
    const { anchor } = useSelection.getState();
    if (anchor === null || rows.missingBetween(anchor, id) === null) return extendTo(id, order);
    await useFilms.getState().listAll();
    extendTo(id, orderOf(listedGroups()));
  };
  const press: RowActs["press"] = (id, how) => {
    if (how === "open") return isPicking ? toggle(id) : open(id);
    if (how === "pick") return useSelection.getState().pick(id);
    if (how === "menu") return selected.has(id) ? undefined : only(id);
    return how === "toggle" ? toggle(id) : attempt(() => extend(id));
  };
  const meant: RowActs["meant"] = (filmId) => targetFilms(filmId, several);
  const remove = (filmIds: readonly string[], menuOf: string | null = null) =>
    leave(() => {
      const focused = focusedFilm() ?? menuOf;
      const gone = new Set(filmIds);
      removeWithUndo(filmIds);
      // Without a focused row, the next press of the key would remove the open film.
      const next = focused !== null && gone.has(focused) ? nearestTo(focused, order, gone) : null;
      if (next !== null) requestAnimationFrame(() => focusRow(next));
    });
  const ask = (about: Asked["about"] | "removing", film: Film) => {
    const filmIds = meant(film.id);
    if (about === "removing") remove(filmIds, film.id);
    else setAsked({ about, film, filmIds });
  };
  const acts = useStableRowActs({ press, ask, meant });
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
        acts={acts}
      />
    );
  };
  const selectAll = async () => {
    await useFilms.getState().listAll();
    all(orderOf(listedGroups()));
  };
  const walkIntoHits = async () => {
    // The latest input may not have been searched for yet.
    await useFilms.getState().load();
    const [first] = orderOf(listedGroups());
    if (first !== undefined) focusRow(first);
  };
  const removeMeant = () => {
    if (openFilm) remove(isTogether && several.length > 0 ? several : [focusedFilm() ?? openFilm.id]);
  };
  const assignSeveral = () => {
    const film = films?.find(({ id }) => id === several[0]);
    if (film) setAsked({ about: "patient", film, filmIds: several });
  };
  const undoRemoval = useRemovals((state) => state.undos.at(-1));
  const isChanging = useNavigation((state) => state.guard !== null);
  useCommands({
    // Points moved after the removal are undone first.
    ...(undoRemoval && !isChanging && { "correct.undo": undoRemoval }),
    "films.next": () => attempt(() => openBeside(1)),
    "films.previous": () => attempt(() => openBeside(-1)),
    "films.selectAll": () => attempt(selectAll),
    ...(isTogether && several.length > 0
      ? { "films.patient": assignSeveral }
      : openFilm && { "films.patient": () => ask("patient", openFilm) }),
    // While an annotation is selected or being drawn, the key deletes the annotation instead, regardless of render
    // order.
    ...(openFilm && !isDrawing && mayRemove && { "films.remove": removeMeant }),
    "films.search": () => searchField.current?.focus(),
  });
  return (
    <section className="worklist" aria-label={text("films.worklist")}>
      <PaneSeparator pane="list" edge="end" label={text("common.widthOf", { pane: text("films.worklist") })} />
      <header className="worklist-head">
        <div className="search">
          <Icon name="search" />
          <input
            ref={searchField}
            className="input"
            type="search"
            aria-label={text("films.searchFilms")}
            placeholder={text("common.search")}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => movesToResults(event) && attempt(walkIntoHits)}
          />
        </div>
        <OpenMenu
          onExport={exporting.start}
          onSearch={() => setSearching("pacs")}
          onOrders={() => setSearching("orders")}
          onKeyFilms={() => setSearching("keyFilms")}
        />
      </header>
      <NextOrder />
      <FilterBar />
      {isTogether && (
        <SelectionBar filmIds={several} onAssign={assignSeveral} onRemove={mayRemove ? () => remove(several) : null} />
      )}
      <div ref={setBody} className="worklist-body">
        <Opening />
        <LeftAlone />
        {exporting.isExporting && <UnderWay words={text("films.exporting")} onStop={exporting.stop} />}
        {films === null ? (
          <Loading label={text("common.loading")} />
        ) : films.length === 0 && !opening ? (
          <EmptyList search={search} isFiltered={isFiltered(filters)} onClear={() => setSearch("")} />
        ) : (
          <FilmList
            rows={rows}
            order={order}
            openId={openId}
            scroller={body}
            onExtend={(id) => attempt(() => extend(id))}
            rowOf={rowOf}
          />
        )}
        <SetUpCard />
      </div>
      {searching === "pacs" && <PacsDialog onClose={() => setSearching(null)} />}
      {searching === "keyFilms" && <KeyFilmsDialog onClose={() => setSearching(null)} />}
      {searching === "orders" && <OrdersDialog onClose={() => setSearching(null)} />}
      {asked && <FilmDialog {...asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

function besideFilm(rows: ListRows, filmId: string, step: 1 | -1): ReturnType<ListRows["at"]> {
  let row = rows.rowOf(filmId) + step;
  for (let at = rows.at(row); at?.kind === "study" || at?.kind === "series"; at = rows.at(row)) row += step;
  return rows.at(row);
}

/** Groups of the films listed now, which may be more than at the last render. */
function listedGroups(): readonly FilmGroup[] {
  const { films, hidden } = useFilms.getState();
  return groupFilms((films ?? []).filter(({ id }) => !hidden.has(id)));
}

function orderOf(groups: readonly FilmGroup[]): string[] {
  return groups.flatMap((group) => group.films.map(({ id }) => id));
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

function FilmDialog({ about, film, filmIds, onClose }: Asked & { readonly onClose: () => void }) {
  switch (about) {
    case "patient":
      return filmIds.length > 1 ? (
        <AssignDialog filmIds={filmIds} onClose={onClose} />
      ) : (
        <PatientDialog film={film} onClose={onClose} />
      );
    case "facts":
      return film.dicom && <FileFacts film={film} dicom={film.dicom} onClose={onClose} />;
    case "frames":
      return film.dicom && <FrameDialog film={film} frames={film.dicom.frames} onClose={onClose} />;
  }
}

function EmptyList(props: { readonly search: string; readonly isFiltered: boolean; readonly onClear: () => void }) {
  const text = useText();
  return (
    <div className="worklist-empty">
      <p className="quiet">{text(props.search || props.isFiltered ? "films.nothingFound" : "films.noFilms")}</p>
      {props.search && <Button onClick={props.onClear}>{text("films.clearSearch")}</Button>}
    </div>
  );
}
