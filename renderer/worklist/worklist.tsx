import "./worklist.css";
import { useState } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { useAnnotations } from "../state/drawing/annotations.ts";
import { useOpenFilm } from "../state/films/films.ts";
import { useRemovals } from "../state/films/removals.ts";
import { useNavigation } from "../state/navigation.ts";
import { useText } from "../ui/language/language.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";
import { PaneSeparator } from "../ui/panes/pane-separator.tsx";
import { FileFacts } from "./file-facts.tsx";
import { AssignDialog } from "./selection/assign-dialog.tsx";
import { focusedFilm } from "./list/walk-rows.ts";
import { FilterBar } from "./list/filter-bar.tsx";
import { useListActs, type ListActs } from "./list/use-list-acts.ts";
import { useListedFilms, type ListedFilms } from "./list/use-listed-films.ts";
import type { RowActs } from "./list/use-stable-row-acts.ts";
import { FrameDialog } from "./frame-dialog.tsx";
import { useAnnotatedExport } from "./open-menu.tsx";
import { NextOrder } from "./orders/next-order.tsx";
import { PatientDialog } from "./patient-dialog.tsx";
import { SelectionBar } from "./selection/selection-bar.tsx";
import { targetFilms } from "../state/films/selection.ts";
import { usePermission } from "../state/people.ts";
import { WorklistHead } from "./worklist-head.tsx";
import { ListBody } from "./list/list-body.tsx";

type Asked = {
  readonly about: "patient" | "facts" | "frames";
  readonly film: Film;
  readonly filmIds: readonly string[];
};

export function Worklist() {
  const text = useText();
  const list = useListedFilms();
  const acts = useListActs(list);
  const mayRemove = usePermission("remove");
  const exporting = useAnnotatedExport();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { films, several, isTogether } = list;
  const ask: RowActs["ask"] = (about, film) => {
    const filmIds = targetFilms(film.id, several);
    if (about === "removing") acts.remove(filmIds, film.id);
    else setAsked({ about, film, filmIds });
  };
  const assignSeveral = () => {
    const film = films?.find(({ id }) => id === several[0]);
    if (film) setAsked({ about: "patient", film, filmIds: several });
  };
  useListCommands(list, acts, { assignSeveral, assign: (film) => ask("patient", film) });
  return (
    <section className="worklist" aria-label={text("films.worklist")}>
      <PaneSeparator pane="list" edge="end" label={text("common.widthOf", { pane: text("films.worklist") })} />
      <WorklistHead onExport={exporting.start} />
      <NextOrder />
      <FilterBar />
      {isTogether && (
        <SelectionBar
          filmIds={several}
          onAssign={assignSeveral}
          onRemove={mayRemove ? () => acts.remove(several) : null}
        />
      )}
      <ListBody list={list} acts={acts} ask={ask} exporting={exporting} />
      {asked && <FilmDialog {...asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

type Assignments = { readonly assign: (film: Film) => void; readonly assignSeveral: () => void };

function useListCommands(list: ListedFilms, acts: ListActs, { assign, assignSeveral }: Assignments): void {
  const openFilm = useOpenFilm();
  const mayRemove = usePermission("remove");
  const isDrawing = useAnnotations(({ selected, drawing, tool }) => (selected ?? drawing ?? tool) !== null);
  const undoRemoval = useRemovals((state) => state.undos.at(-1));
  const isChanging = useNavigation((state) => state.guard !== null);
  const { several, isTogether } = list;
  const isAboutSeveral = isTogether && several.length > 0;
  const removeMeant = () => {
    if (openFilm) acts.remove(isAboutSeveral ? several : [focusedFilm() ?? openFilm.id]);
  };
  useCommands({
    // Points moved after the removal are undone first.
    ...(undoRemoval && !isChanging && { "correct.undo": undoRemoval }),
    "films.next": () => acts.openBeside(1),
    "films.previous": () => acts.openBeside(-1),
    "films.selectAll": acts.selectAll,
    ...(isAboutSeveral ? { "films.patient": assignSeveral } : openFilm && { "films.patient": () => assign(openFilm) }),
    // While an annotation is selected or being drawn, the key deletes the annotation instead, regardless of render
    // order.
    ...(openFilm && !isDrawing && mayRemove && { "films.remove": removeMeant }),
  });
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
