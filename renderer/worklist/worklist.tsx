import "./worklist.css";
import { useMemo, useRef, useState } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useFilms, useOpenFilm } from "../state/films.ts";
import { useNavigation } from "../state/navigation.ts";
import { Question } from "../ui/dialog.tsx";
import { Loading } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";
import { useText } from "../ui/language/language.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";
import { UnderWay } from "../ui/under-way.tsx";
import { FileFacts } from "./file-facts.tsx";
import { FilmRow } from "./film-row.tsx";
import { FrameDialog } from "./frame-dialog.tsx";
import { OpenMenu, useAnnotatedExport } from "./open-menu.tsx";
import { PatientDialog } from "./patient-dialog.tsx";
import { groupFilms } from "./study-groups.ts";
import { StudyRows } from "./study-rows.tsx";

/** A dialog about one film. */
type Asked = { readonly about: "patient" | "removing" | "facts" | "frames"; readonly film: Film };

/** All films, newest first, those of a study together, with what was measured on each. */
export function Worklist() {
  const text = useText();
  const { films, search, openId, opening, setSearch } = useFilms();
  const leave = useNavigation((state) => state.leave);
  const openFilm = useOpenFilm();
  const searchField = useRef<HTMLInputElement>(null);
  const exporting = useAnnotatedExport();
  const [asked, setAsked] = useState<Asked | null>(null);
  const groups = useMemo(() => groupFilms(films ?? []), [films]);
  const open = (id: string | undefined) => id && id !== openId && leave(() => useFilms.getState().open(id));
  const openBeside = (step: number) => {
    const shown = groups.flatMap((group) => group.films);
    open(shown[shown.findIndex(({ id }) => id === openId) + step]?.id);
  };
  const rowOf = (film: Film, inStudy?: { readonly isBest: boolean }) => (
    <FilmRow
      key={film.id}
      film={film}
      isOpen={film.id === openId}
      isOfStudy={inStudy !== undefined}
      isBest={inStudy?.isBest ?? false}
      onOpen={() => open(film.id)}
      onAsk={(about) => setAsked({ about, film })}
    />
  );
  useCommands({
    "films.next": () => openBeside(1),
    "films.previous": () => openBeside(-1),
    ...(openFilm && { "films.patient": () => setAsked({ about: "patient", film: openFilm }) }),
    "films.search": () => searchField.current?.focus(),
  });
  return (
    <section className="worklist" aria-label={text("films.worklist")}>
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
          />
        </div>
        <OpenMenu onExport={exporting.start} />
      </header>
      <div className="worklist-body">
        <Opening />
        {exporting.isExporting && (
          <UnderWay words={text("films.exporting")} stop={text("common.cancel")} onStop={exporting.stop} />
        )}
        {films === null ? (
          <Loading label={text("common.loading")} />
        ) : films.length === 0 && !opening ? (
          <EmptyList isSearch={search !== ""} />
        ) : (
          <ul>
            {groups.map((group) =>
              group.kind === "film" ? (
                rowOf(group.films[0])
              ) : (
                <StudyRows key={group.films[0]?.dicom?.studyInstanceUid} group={group} rowOf={rowOf} />
              ),
            )}
          </ul>
        )}
      </div>
      {asked && <FilmDialog {...asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

/** How far the opening of chosen files is. */
function Opening() {
  const text = useText();
  const { opening, stopOpening } = useFilms();
  if (!opening) return null;
  // One file may be a ZIP of many: how far it is nobody knows.
  return (
    <UnderWay
      words={text("films.opening", { done: opening.done + 1, all: opening.all })}
      stop={text("films.stopOpening")}
      onStop={stopOpening}
      share={opening.all > 1 ? opening : null}
    />
  );
}

function FilmDialog({ about, film, onClose }: Asked & { readonly onClose: () => void }) {
  const text = useText();
  switch (about) {
    case "patient":
      return <PatientDialog film={film} onClose={onClose} />;
    case "facts":
      return film.dicom && <FileFacts film={film} dicom={film.dicom} onClose={onClose} />;
    case "frames":
      return film.dicom && <FrameDialog film={film} frames={film.dicom.frames} onClose={onClose} />;
    case "removing": {
      const remove = () => {
        attempt(() => call("films.remove", { filmIds: [film.id] }));
        onClose();
      };
      return (
        <Question
          isOpen
          title={text("films.removeTitle", { name: film.fileName })}
          description={text("films.removeText")}
          confirm={text("common.remove")}
          isDangerous
          onCancel={onClose}
          onConfirm={remove}
        />
      );
    }
  }
}

function EmptyList({ isSearch }: { readonly isSearch: boolean }) {
  const text = useText();
  return <p className="worklist-empty quiet">{text(isSearch ? "films.nothingFound" : "films.noFilms")}</p>;
}
