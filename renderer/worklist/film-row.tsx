import type { Film } from "../../core/contract/desktop/films.ts";
import { call } from "../state/connection.ts";
import { attempt, failureText } from "../state/faults.ts";
import { IconButton } from "../ui/button.tsx";
import { useFormat } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { useLanguage, useText } from "../ui/language.ts";
import { Menu, type MenuEntry } from "../ui/menu.tsx";
import { filmMessages } from "../ui/messages/films.ts";
import { resultMessages } from "../ui/messages/result.ts";
import { TierMark } from "../ui/tier-mark.tsx";

type FilmRowProps = { readonly film: Film; readonly isOpen: boolean; readonly onOpen: () => void; readonly onPatient: () => void; readonly onRemove: () => void };

/** One film of the worklist: thumbnail, whose it is, and what was measured or what stands in the way. */
export function FilmRow({ film, isOpen, onOpen, onPatient, onRemove }: FilmRowProps) {
  const text = useText();
  const format = useFormat();
  const isWaiting = film.state === "queued" || film.state === "measuring";
  const filmIds = [film.id];
  const entries: MenuEntry[] = [
    { label: text(filmMessages.assignPatient), onChoose: onPatient },
    isWaiting
      ? { label: text(filmMessages.cancelMeasuring), onChoose: () => attempt(() => call("films.cancel", { filmIds })) }
      : { label: text(filmMessages.measureAgain), onChoose: () => attempt(() => call("films.retry", { filmIds })), isDisabled: !film.hasImage },
    "line",
    { label: text(filmMessages.removeFilm), onChoose: onRemove },
  ];
  return (
    <li className={`film-row ${isOpen ? "open" : ""}`} data-state={film.state} data-testid="film">
      <button type="button" className="film-open" aria-current={isOpen} onClick={onOpen}>
        <span className="thumbnail">{film.urls.thumbnail ? <img src={film.urls.thumbnail} alt="" /> : <Icon name="films" />}</span>
        <span className="film-words">
          <span className="film-name">{film.patient?.name || film.fileName}</span>
          <span className="film-more quiet fine">{[format.day(film.takenAt), film.patient?.owner || film.patient?.breed].filter(Boolean).join(" · ")}</span>
        </span>
        <Outcome film={film} />
      </button>
      <Menu entries={entries}>
        <IconButton icon="more" className="film-menu" label={text(filmMessages.more, { name: film.patient?.name || film.fileName })} />
      </Menu>
    </li>
  );
}

function Outcome({ film }: { readonly film: Film }) {
  const text = useText();
  const format = useFormat();
  const language = useLanguage((state) => state.language);
  if (film.state === "measuring") return <span className="outcome"><span className="spinner" /><span className="visually-hidden">{text(filmMessages.state_measuring)}</span></span>;
  if (film.state === "queued") return <span className="outcome quiet fine">{text(filmMessages.state_queued, { place: film.queuePosition ?? 0 })}</span>;
  if (film.state === "failed") return <span className="outcome fault-text fine" title={film.failure ? failureText(film.failure, language) : undefined}><Icon name="alert" />{text(filmMessages.state_failed)}</span>;
  const { reading } = film;
  if (!reading) return <span className="outcome quiet fine">{text(film.state === "cancelled" ? filmMessages.state_cancelled : filmMessages.unmeasured)}</span>;
  return (
    <span className="outcome">
      <span className="outcome-score data">{format.score(reading.vhs)}</span>
      <span className="fine">{reading.verdict ? <span className="quiet">{text(resultMessages[`verdict_${reading.verdict}`])}</span> : reading.resultCode >= 6 ? <span className="tier review">{text(resultMessages.code, { code: reading.resultCode })}</span> : reading.tier && <TierMark tier={reading.tier} />}</span>
    </span>
  );
}
