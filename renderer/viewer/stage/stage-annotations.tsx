import { useMemo, type ReactNode } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { AnnotationLayer } from "../../film/annotations/annotation-layer.tsx";
import { DrawingHint, DrawingTools } from "../../film/annotations/drawing-tools.tsx";
import { ForeignMarks } from "../../film/annotations/foreign-marks.tsx";
import { ScaleBar } from "../../film/annotations/scale-bar.tsx";
import { useFilmScale } from "../../film/annotations/use-film-scale.ts";
import { useShownDrawings } from "../../film/annotations/use-shown-drawings.ts";
import { spacingOf } from "../../film/spacing/spacing.ts";
import { frameToStage } from "../../film/view.ts";
import { useFilms, useSettledFilm } from "../../state/films/films.ts";
import { useChannel } from "../../state/queries.ts";
import { Stale } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { useOverlay } from "../../film/overlay-preferences.ts";
import { useViewer } from "../viewer-slice.ts";

/** Annotations of the open film; read-only while the heart is being corrected. */
export function StageAnnotations() {
  const film = useSettledFilm();
  const { pixels, stage, view } = useStillView();
  const isLocked = useCorrection((state) => state.mode !== "none");
  const { isShown } = useOverlay();
  if (!film || !pixels) return null;
  return (
    <Shifted>
      <AnnotationLayer
        film={film}
        picture={pixels}
        stage={stage}
        toStage={(frame) => frameToStage(view, pixels, frame, stage)}
        isLocked={isLocked}
        isShown={isShown}
      />
    </Shifted>
  );
}

export function StageForeignMarks() {
  const film = useSettledFilm();
  // The key prevents one film's state from showing on another.
  return film && <MarksOf key={film.id} film={film} />;
}

function MarksOf({ film }: { readonly film: Film }) {
  const { pixels, stage, view } = useStillView();
  const { isShown, hasForeignMarks } = useOverlay();
  const { value } = useChannel("marks.list", { filmId: film.id });
  if (!value || value.sets.length === 0 || !pixels || !isShown || !hasForeignMarks) return null;
  return (
    <Shifted>
      <ForeignMarks sets={value.sets} matrix={frameToStage(view, pixels, value.frame, stage)} stage={stage} />
    </Shifted>
  );
}

/** Reports marks of other programs that could not be loaded. */
export function UnreadMarks({ filmId }: { readonly filmId: string }) {
  const isSettled = useFilms(({ settledId }) => settledId === filmId);
  return isSettled && <UnreadMarksOf filmId={filmId} />;
}

function UnreadMarksOf({ filmId }: { readonly filmId: string }) {
  const text = useText();
  const { fault, staleFault, reload } = useChannel("marks.list", { filmId });
  const unread = fault ?? staleFault;
  const label = text("common.labelled", { label: text("viewer.foreignMarks") });
  return <Stale fault={unread && `${label} ${unread}`} onRetry={reload} />;
}

/** View at the start of a drag, during which the overlay is shifted with the film instead of being rendered. */
function useStillView() {
  const pixels = useViewer((state) => state.pixels);
  const stage = useViewer((state) => state.stage);
  const view = useViewer((state) => state.panFrom ?? state.view);
  return { pixels, stage, view };
}

function Shifted({ children }: { readonly children: ReactNode }) {
  const xPx = useViewer(({ panFrom, view }) => (panFrom ? view.panXPx - panFrom.panXPx : 0));
  const yPx = useViewer(({ panFrom, view }) => (panFrom ? view.panYPx - panFrom.panYPx : 0));
  return (
    <div className="shifted" style={{ transform: `translate(${xPx}px, ${yPx}px)` }}>
      {children}
    </div>
  );
}

export function ViewerDrawingTools({ film }: { readonly film: Film }) {
  const isLocked = useCorrection((state) => state.mode !== "none");
  const filmIds = useMemo(() => [film.id], [film.id]);
  return (
    <>
      <DrawingTools
        filmIds={filmIds}
        picture={film.picture}
        canCalibrate={spacingOf(film) === null}
        isLocked={isLocked || !film.hasImage}
      />
      {!isLocked && <DrawingHint />}
    </>
  );
}

export function StageScaleBar() {
  const film = useSettledFilm();
  const { pixels, stage, view } = useStillView();
  const { hasScaleBar } = useOverlay();
  const scale = useFilmScale(film, pixels);
  const frame = useShownDrawings(film)?.frame ?? pixels;
  if (!film || !pixels || !frame || !hasScaleBar) return null;
  return <ScaleBar scale={scale} matrix={frameToStage(view, pixels, frame, stage)} />;
}
