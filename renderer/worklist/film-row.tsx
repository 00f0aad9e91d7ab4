import { memo, useState, type MouseEvent } from "react";
import { canMeasureAgain } from "../../core/cardiac/capture/measured-again.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { ReadingSummary } from "../../core/contract/desktop/readings.ts";
import { isSampleFilm } from "../../core/sample-study.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import type { Say } from "../../core/language/say.ts";
import { AlsoOpen } from "../film/notices/also-open.tsx";
import { ChangeSinceVisit } from "../film/notices/change-since-visit.tsx";
import { FilmPicture } from "../film/film-picture.tsx";
import { usePermission } from "../state/people.ts";
import { useFilms } from "../state/films/films.ts";
import { lacksPack } from "../film/lacks-pack.ts";
import { filmDragType } from "../state/films/dragged-film.ts";
import { useIsHidden, useReaderMode } from "../state/films/reader-mode.ts";
import { usePlaceInQueue } from "../state/films/waiting.ts";
import { useFilmVerdict } from "../film/use-film-verdict.ts";
import { useReasonLeftAlone } from "../film/use-reason-left-alone.ts";
import { call } from "../state/connection.ts";
import { attempt, failureText } from "../state/faults.ts";
import { IconButton } from "../ui/button.tsx";
import { useFormat } from "../ui/language/format.ts";
import { Icon } from "../ui/icon.tsx";
import { useLanguage, useText } from "../ui/language/language.ts";
import { useKeys } from "../ui/keys/shortcuts.ts";
import { Menu, type MenuEntry } from "../ui/menu.tsx";
import { VerdictMark } from "../ui/verdict-mark.tsx";
import type { RowActs } from "./list/use-stable-row-acts.ts";

/** Position of a row among all rows of the list, and the callback that measures its height. */
export type RowSlot = {
  readonly index: number;
  readonly count: number;
  readonly measure: (row: HTMLLIElement | null) => void;
};

export function attributesOf({ index, count, measure }: RowSlot) {
  return { "data-index": index, "aria-posinset": index + 1, "aria-setsize": count, ref: measure };
}

type FilmRowProps = RowSlot & {
  readonly film: Film;
  readonly isOpen: boolean;
  /** Whether the row is below its study's heading, which shows patient and date. */
  readonly isOfStudy: boolean;
  readonly isBest: boolean;
  readonly isSelected: boolean;
  readonly acts: RowActs;
};

/** One film of the worklist: thumbnail, patient, and result or state. Memoised, so that only changed rows render. */
export const FilmRow = memo(function FilmRow(row: FilmRowProps) {
  const { film, isOpen, isOfStudy, isBest, isSelected, acts } = row;
  const text = useText();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isReaderMode = useReaderMode(({ isOn }) => isOn);
  const reason = useReasonLeftAlone(film);
  const words = useFilmWords(film, { isOfStudy, isViewSaid: reason !== null });
  const shownName = isOfStudy ? (film.dicom?.viewPosition ?? film.fileName) : nameOf(film);
  const press = (event: MouseEvent) =>
    acts.press(film.id, event.shiftKey ? "extend" : event.ctrlKey || event.metaKey ? "toggle" : "open");
  return (
    <li
      {...attributesOf(row)}
      className={`film-row ${isOfStudy ? "of-study" : ""} ${isOpen ? "open" : ""} ${isSelected ? "selected" : ""}`}
      data-state={film.state}
      data-film={film.id}
      data-testid="film"
      onContextMenu={(event) => {
        event.preventDefault();
        acts.press(film.id, "menu");
        whenReleased(event, () => setMenuOpen(true));
      }}
    >
      <button type="button" className="film-open" aria-current={isOpen} aria-pressed={isSelected} onClick={press}>
        <span
          className="thumbnail"
          draggable
          onDragStart={({ dataTransfer }) => dataTransfer.setData(filmDragType, film.id)}
        >
          <FilmPicture url={film.urls.thumbnail} />
        </span>
        <span className="film-words">
          <span className="film-name" title={shownName}>
            {shownName}
          </span>
          <span className="film-more quiet fine" title={words}>
            {words}
          </span>
          <ChangeSinceVisit film={film} isBrief />
          {!isOfStudy && <UnassignedNote film={film} />}
          {film.otherAnimal && !isReaderMode && (
            <span className="unassigned fine">
              <Icon name="alert" />
              {text("sameAnimal.brief")}
            </span>
          )}
          {isSampleFilm(film) && <span className="tier review fine">{text("sample.mark")}</span>}
          {film.dicom !== null && film.dicom.notices.length > 0 && (
            <span className="unassigned fine">
              <Icon name="alert" />
              {text("studies.partlyRead")}
            </span>
          )}
          <AlsoOpen filmId={film.id} />
          {isBest && (
            <span className="best fine">
              <Icon name="check" />
              {text("studies.best")}
            </span>
          )}
        </span>
        <Outcome film={film} reason={reason} />
      </button>
      <RowMenu film={film} isLeftAlone={reason !== null} acts={acts} isOpen={isMenuOpen} onOpen={setMenuOpen} />
    </li>
  );
});

const RowMenu = memo(function RowMenu({
  film,
  isLeftAlone,
  acts,
  isOpen,
  onOpen,
}: {
  readonly film: Film;
  readonly isLeftAlone: boolean;
  readonly acts: RowActs;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}) {
  const text = useText();
  const isWaiting = film.state === "queued" || film.state === "measuring";
  const mayRemove = usePermission("remove");
  const removeKeys = useKeys("films.remove");
  const patientKeys = useKeys("films.patient");
  const act = (channel: "films.cancel" | "films.retry") =>
    attempt(() => call(channel, { filmIds: [...acts.meant(film.id)] }));
  const ask = (about: Parameters<RowActs["ask"]>[0]) => () => acts.ask(about, film);
  const entries: MenuEntry[] = [
    { label: text("films.select"), onChoose: () => acts.press(film.id, "pick") },
    { label: text("films.assignPatient"), keys: patientKeys, onChoose: ask("patient") },
    ...(film.patient ? [onlyThisPatient(film.patient, text)] : []),
    isWaiting
      ? { label: text("films.cancelMeasuring"), onChoose: () => act("films.cancel") }
      : {
          label: text(isLeftAlone ? "studies.measureAnyway" : "films.measureAgain"),
          onChoose: () => act("films.retry"),
          isDisabled: !canMeasureAgain(film),
        },
    ...(film.dicom && film.dicom.frames > 1
      ? [
          {
            label: text("common.opensDialog", { label: text("studies.chooseFrame") }),
            onChoose: ask("frames"),
            isDisabled: !film.hasImage,
          },
        ]
      : []),
    ...(film.dicom
      ? [{ label: text("common.opensDialog", { label: text("studies.aboutFile") }), onChoose: ask("facts") }]
      : []),
    ...(mayRemove
      ? ["line" as const, { label: text("films.removeFilm"), keys: removeKeys, onChoose: ask("removing") }]
      : []),
  ];
  return (
    <Menu entries={entries} open={isOpen} onOpenChange={onOpen}>
      <IconButton
        icon="more"
        className="film-menu"
        // Above the button, the tooltip would cover the filters or the previous row's button.
        hintSide="left"
        tabIndex={-1}
        label={text("films.more", { name: nameOf(film) })}
      />
    </Menu>
  );
});

function onlyThisPatient({ id, name }: Patient, text: Say): MenuEntry {
  return {
    label: text("films.onlyPatient", { name }),
    onChoose: () => useFilms.getState().setFilters({ patientId: id }),
  };
}

/** Opens a menu on release: where context menus open on press, the release would select an item of the menu. */
function whenReleased({ buttons }: MouseEvent, open: () => void): void {
  if (buttons === 0) open();
  else window.addEventListener("pointerup", () => setTimeout(open), { once: true });
}

/** Name of the patient, from the worklist or else the file; without either, the file name. */
export function nameOf({ patient, dicom, fileName }: Film): string {
  return patient?.name || dicom?.patient.name || fileName;
}

/** Date, frame, view (unless the outcome states it) and owner; below a study's heading, frame and file name. */
function useFilmWords(
  { patient, dicom, frameIndex, fileName, takenAt }: Film,
  { isOfStudy, isViewSaid }: { readonly isOfStudy: boolean; readonly isViewSaid: boolean },
): string {
  const text = useText();
  const format = useFormat();
  const frame =
    dicom && dicom.frames > 1 ? text("studies.frameOf", { frame: frameIndex + 1, frames: dicom.frames }) : null;
  const words = isOfStudy
    ? [frame, dicom?.viewPosition && fileName]
    : [format.day(takenAt), frame, !isViewSaid && dicom?.viewPosition, patient?.owner || patient?.breed];
  return words.filter(Boolean).join(" · ");
}

/** Notice about an unassigned film whose file identifies a patient, which the user must decide on. */
export function UnassignedNote({ film: { patient, dicom } }: { readonly film: Film }) {
  const text = useText();
  const isForeign =
    patient === null && dicom !== null && dicom.patient.uuid !== null && dicom.patient.species !== "other";
  if (!isForeign) return null;
  return (
    <span className="unassigned fine">
      <Icon name="alert" />
      {text("studies.foreignId", { id: dicom.patient.id ?? "" })}
    </span>
  );
}

function Outcome({ film, reason }: { readonly film: Film; readonly reason: string | null }) {
  const text = useText();
  const format = useFormat();
  const language = useLanguage((state) => state.language);
  const place = usePlaceInQueue(film);
  const isHidden = useIsHidden(film);
  if (film.state === "measuring")
    return (
      <span className="outcome">
        <span className="spinner" />
        <span className="visually-hidden">{text("films.state_measuring")}</span>
      </span>
    );
  if (film.state === "queued")
    return <span className="outcome quiet fine">{text("films.state_queued", { place })}</span>;
  if (film.state === "failed" && !lacksPack(film))
    return (
      <span className="outcome fault-text fine" title={film.failure ? failureText(film.failure, language) : undefined}>
        <Icon name="alert" />
        {text("films.state_failed")}
      </span>
    );
  const { reading } = film;
  if (isHidden) return <span className="outcome quiet fine">{text("reader.brief")}</span>;
  if (reason && reading?.verdict !== "rejected") {
    return (
      <span className="outcome quiet fine" title={text("studies.leftAloneNote")}>
        <span>{text("films.unmeasured")}</span>
        <span>{reason}</span>
      </span>
    );
  }
  if (!reading)
    return (
      <span className="outcome quiet fine">
        {text(film.state === "cancelled" ? "errors.ABORTED" : "films.unmeasured")}
      </span>
    );
  return (
    <span className="outcome">
      <span className="outcome-score data">
        {format.score(reading.vhs)}
        {reading.vhs !== null && <small> {text("result.unit")}</small>}
      </span>
      <span className="judgement fine">
        <Judgement film={film} reading={reading} />
      </span>
    </span>
  );
}

/** Verdict in one word, and whether a user accepted the film, which the verdict does not include. */
function Judgement({ film, reading }: { readonly film: Film; readonly reading: ReadingSummary }) {
  const text = useText();
  const verdict = useFilmVerdict(film)(reading.facts);
  return (
    <>
      {verdict && <VerdictMark verdict={verdict} isBrief />}
      {reading.verdict === "accepted" && (
        <span className="accepted quiet">
          <Icon name="check" />
          {text("result.verdict_accepted")}
        </span>
      )}
    </>
  );
}
