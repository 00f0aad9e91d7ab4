import { useMemo } from "react";
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
import { Shifted, useStillView } from "./still-view.tsx";

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

export function UnreadMarks({ filmId }: { readonly filmId: string }) {
  const text = useText();
  const enabled = useFilms(({ settledId }) => settledId === filmId);
  const { fault, staleFault, reload } = useChannel("marks.list", { filmId }, { enabled });
  const unread = fault ?? staleFault;
  const label = text("common.labelled", { label: text("viewer.foreignMarks") });
  return <Stale fault={unread && `${label} ${unread}`} onRetry={reload} />;
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
