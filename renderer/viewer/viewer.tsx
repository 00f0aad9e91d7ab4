import "./viewer.css";
import { useEffect, type ReactNode } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { attempt } from "../state/faults.ts";
import { call } from "../state/connection.ts";
import { usePublishOpenFilm } from "../state/films/open-elsewhere.ts";
import { useFilms, useOpenFilm } from "../state/films/films.ts";
import { isPlain } from "../state/films/listed-films.ts";
import { useIsHidden } from "../state/films/reader-mode.ts";
import { usePlaceInQueue } from "../state/films/waiting.ts";
import { FilmCover } from "../film/film-cover.tsx";
import { useReloadAfterReconnect } from "../film/use-reload-after-reconnect.ts";
import { pixelsUrl } from "../film/painter/film-pixels.ts";
import { usePeople, usePermission } from "../state/people.ts";
import { useProgram } from "../state/program.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed, Loading } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { CorrectionBar } from "./correction/correction-bar.tsx";
import { ViewerDrawingTools } from "./stage/stage-annotations.tsx";
import { useCorrection } from "./correction/correction-slice.ts";
import { latestProposal } from "../../core/cardiac/agreement/latest-proposal.ts";
import { ResultPanel } from "./results/result-panel.tsx";
import { Stage } from "./stage/stage.tsx";
import { Toolbar } from "./toolbar/toolbar.tsx";
import { useViewer } from "./viewer-slice.ts";
import { loadSample } from "../state/upkeep/sample.ts";
import { Keys } from "../ui/keys/keys.tsx";
import { runCommand } from "../ui/keys/shortcuts.ts";

/** @param actions  additional controls for the result, next to the patient's name */
export function Viewer({ actions }: { readonly actions?: ReactNode }) {
  const text = useText();
  const film = useOpenFilm();
  const openId = useFilms((state) => state.openId);
  const isHidden = useIsHidden(film);
  const known = useFilms((state) => state.readings);
  const readings = isHidden ? [] : known;
  const latest = readings.at(-1) ?? null;
  const reading = latest?.takenBackBy === undefined ? latest : null;
  const model = latestProposal(readings);
  const original = model && model.id !== reading?.id ? model : null;
  return (
    <>
      {film ? (
        <section className="viewer" aria-label={text("viewer.viewer")}>
          <Toolbar hasOriginal={original !== null} />
          <div className="stage-area">
            <Stage reading={reading} original={original} />
            <ViewerDrawingTools film={film} />
            <CorrectionBar />
            <Cover film={film} />
          </div>
          <ResultPanel film={film} reading={reading} original={original} actions={actions} />
        </section>
      ) : openId === null ? (
        <EmptyViewer />
      ) : (
        <UnlistedFilm filmId={openId} />
      )}
      <ShownFilm film={film} />
    </>
  );
}

/** A separate component, so that a settled film does not render the viewer. */
function ShownFilm({ film }: { readonly film: Film | null }) {
  usePublishOpenFilm(useFilms((state) => state.settledId));
  const url = film && pixelsUrl(film);
  const show = useViewer((state) => state.show);
  const turnTo = useCorrection((state) => state.turnTo);
  const personId = usePeople((state) => state.session?.me?.id ?? "");
  const filmId = film?.id ?? "";
  const isSettled = useFilms((state) => state.settledId === state.openId);
  useEffect(() => {
    turnTo(personId, { filmId, url });
    show(isSettled ? url : null);
  }, [url, filmId, isSettled, personId, show, turnTo]);
  useReloadAfterReconnect(
    useViewer((state) => state.loading),
    () => show(url),
  );
  return null;
}

function Cover({ film }: { readonly film: Film }) {
  const loading = useViewer((state) => state.loading);
  return (
    <FilmCover {...{ film, loading }} onRetry={() => useViewer.getState().show(pixelsUrl(film))}>
      <Measuring film={film} />
    </FilmCover>
  );
}

function Measuring({ film }: { readonly film: Film }) {
  const text = useText();
  const place = usePlaceInQueue(film);
  if (film.state !== "measuring" && film.state !== "queued") return null;
  const cancel = () => attempt(() => call("films.cancel", { filmIds: [film.id] }));
  return (
    <div className="stage-progress" role="status">
      <span className="spinner" />
      {film.state === "measuring" ? text("films.state_measuring") : text("films.state_queued", { place })}
      <Button tone="plain" onClick={cancel}>
        {text("films.cancelMeasuring")}
      </Button>
    </div>
  );
}

/** Placeholder for an open film that is not in the list, until it has been loaded with its readings. */
function UnlistedFilm({ filmId }: { readonly filmId: string }) {
  const text = useText();
  const { fault } = useChannel("films.get", { filmId }, { enabled: false });
  return (
    <section className="stage-cover viewer-unlisted" data-theme="dark" aria-label={text("viewer.viewer")}>
      {fault === null ? (
        <Loading label={text("viewer.loadingFilm")} />
      ) : (
        <Failed fault={fault} onRetry={() => attempt(useFilms.getState().loadReadings)} />
      )}
    </section>
  );
}

function EmptyViewer() {
  const text = useText();
  const isMeasured = useProgram(({ health, settings }) => health?.hasNoPack === false && settings?.measuresOnArrival);
  const hasNoFilms = useFilms((state) => state.films?.length === 0 && isPlain(state));
  const mayPrepare = usePermission("prepare");
  return (
    <section className="stage-cover viewer-empty" data-theme="dark" aria-label={text("viewer.viewer")}>
      <Empty icon="films" title={text("films.emptyTitle")}>
        <p>
          {text("films.emptyText")} {isMeasured && text("films.emptyMeasured")}
        </p>
        <div className="row">
          <Button icon="open" onClick={() => runCommand("films.open")}>
            {text("films.openFiles")}
          </Button>
          {hasNoFilms && mayPrepare && (
            <Button icon="films" onClick={() => attempt(loadSample)}>
              {text("sample.load")}
            </Button>
          )}
        </div>
        <p>
          {text("films.emptyPaste")} <Keys keys="Mod+V" />
        </p>
      </Empty>
    </section>
  );
}
