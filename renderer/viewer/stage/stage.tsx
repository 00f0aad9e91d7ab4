import { useMemo, useRef, type ComponentProps } from "react";
import { reportedScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { heartLandmarkNames } from "../../../core/cardiac/landmarks.ts";
import { useText } from "../../ui/language/language.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { Crosshair } from "./crosshair.tsx";
import { draftOf, emptyDraft, pointOf, scoreOfDraft, type Draft } from "../../film/draft/draft.ts";
import { Handles } from "./handles.tsx";
import { StageAnnotations, StageForeignMarks, StageScaleBar } from "./stage-annotations.tsx";
import { marksOf } from "../../film/marks.ts";
import { Guides, HeartOutline, ReadingMarks, VoteCloud, UnevenVertebrae } from "../../film/overlay.tsx";
import { PixelReadout, ViewReadout } from "./readout.tsx";
import { useFilmCanvas } from "./use-film-canvas.ts";
import { useKeyboardKept } from "./use-keyboard-kept.ts";
import { usePalmRejection } from "./palms.ts";
import { useStagePointer } from "./use-stage-pointer.ts";
import { frameToStage, mapped, type Matrix, type Size, filmToStage } from "../../film/view.ts";
import { useOverlay } from "../../film/overlay-preferences.ts";
import { useViewer } from "../viewer-slice.ts";
import { Shifted, useStillView } from "./still-view.tsx";
import { Loupe } from "../../film/magnifier/loupe.tsx";
import { useMagnifier } from "../../film/magnifier/magnifier-switch.ts";
import { useProbe } from "./probe-slice.ts";

/** The current reading, and the networks' latest proposal if it is another reading. */
type StageProps = { readonly reading: Reading | null; readonly original: Reading | null };

export function Stage(props: StageProps) {
  const text = useText();
  const stageRef = useRef<HTMLDivElement>(null);
  const canvas = useFilmCanvas();
  const pointer = useStagePointer(stageRef);
  const palms = usePalmRejection();
  const mode = useCorrection((state) => state.mode);
  useKeyboardKept(stageRef);
  return (
    <div
      ref={stageRef}
      className={`stage ${mode}`}
      {...palms}
      {...pointer}
      data-testid="stage"
      role="group"
      tabIndex={-1}
      aria-label={text("viewer.viewer")}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <StageOverlay {...props} />
      <StageForeignMarks />
      <StageAnnotations />
      <Crosshair />
      <Magnifier />
      <div className="readouts">
        <ViewReadout />
        <StageScaleBar />
        <PixelReadout />
      </div>
    </div>
  );
}

function StageOverlay({ reading, original }: StageProps) {
  const { pixels, stage, view } = useStillView();
  const overlay = useOverlay();
  const mode = useCorrection((state) => state.mode);
  const present = useCorrection((state) => state.stack.present);
  const workFrame = useCorrection((state) => state.frame);
  const isDragging = useCorrection((state) => state.dragFrom !== null);
  const selected = useCorrection((state) => state.selected);
  const isWorking = mode !== "none";
  // The networks' votes are hidden while measuring by hand.
  const isByHand = mode === "by_hand";
  const draft = useMemo(
    () => (isWorking ? present : reading ? draftOf(reading) : emptyDraft),
    [isWorking, present, reading],
  );
  const frame = isWorking ? workFrame : (reading?.frame ?? null);
  const matrix = useMemo(
    () => (pixels && frame ? frameToStage(view, pixels, frame, stage) : null),
    [pixels, frame, view, stage],
  );
  const shown = useMemo(() => (matrix && frame ? marksWithScore(draft, frame, matrix) : null), [draft, frame, matrix]);
  const scored = useMemo(
    () => (shown && reading && !isWorking ? reportedScore(reading, shown.score) : (shown?.score ?? null)),
    [shown, reading, isWorking],
  );
  // Votes and original marks refer to the frame of the networks' reading.
  const networks = original ?? reading;
  const ownMatrix = useMemo(
    () => (pixels && networks ? frameToStage(view, pixels, networks.frame, stage) : null),
    [pixels, networks, view, stage],
  );
  const ghost = useMemo(
    () => (ownMatrix && original ? marksWithScore(draftOf(original), original.frame, ownMatrix) : null),
    [original, ownMatrix],
  );
  if (!matrix || !shown) return null;
  const dragged = isDragging && selected !== null ? pointOf(draft, selected) : null;
  const { votes = [] } = networks ?? {};
  const uneven = (reading?.uneven ?? []).map(({ from, to }) => ({
    from: mapped(matrix, from),
    to: mapped(matrix, to),
  }));
  const hasGhost = ghost && original && (mode === "none" ? overlay.hasOriginal : mode === "correct");
  return (
    <>
      <Shifted>
        <svg className="overlay" opacity={overlay.opacity} width={stage.widthPx} height={stage.heightPx}>
          {(overlay.isShown || isWorking) && (
            <>
              {hasGhost && <ReadingMarks marks={ghost.marks} score={null} stage={stage} hasLabels={false} isGhost />}
              {(overlay.hasOutline || isWorking) && shown.marks.outline.length > 0 && (
                <HeartOutline outline={shown.marks.outline} />
              )}
              {!isWorking && uneven.length > 0 && <UnevenVertebrae vertebrae={uneven} />}
              <ReadingMarks
                marks={shown.marks}
                score={scored}
                stage={stage}
                hasLabels={overlay.hasLabels && !isDragging}
              />
              {overlay.hasVotes && ownMatrix && !isByHand && (
                <VoteCloud
                  votes={votes.flatMap((vote) =>
                    heartLandmarkNames.flatMap((name) => (vote[name] ? [mapped(ownMatrix, vote[name])] : [])),
                  )}
                />
              )}
              {isWorking && <Guides marks={shown.marks} />}
              {isWorking && <Handles marks={shown.marks} matrix={matrix} />}
            </>
          )}
        </svg>
      </Shifted>
      {dragged && <StageLoupe at={mapped(matrix, dragged)} avoid={shown.marks.silhouette?.centre} />}
    </>
  );
}

function marksWithScore(draft: Draft, frame: Size, matrix: Matrix) {
  const scored = scoreOfDraft(draft);
  return { marks: marksOf(draft, scored?.ruler.edges ?? draft.edges, frame, matrix), score: scored?.score ?? null };
}

function Magnifier() {
  const isOn = useMagnifier((state) => state.isOn);
  const at = useProbe((state) => state.at);
  const { pixels, view, stage } = useViewer();
  if (!isOn || !at || !pixels) return null;
  return <StageLoupe at={mapped(filmToStage(view, pixels, stage), { x: at.x + 0.5, y: at.y + 0.5 })} />;
}

function StageLoupe({ at, avoid }: Pick<ComponentProps<typeof Loupe>, "at" | "avoid">) {
  const { pixels, view, stage, window, isInverted } = useViewer();
  return pixels && <Loupe {...{ at, pixels, view, stage, window, isInverted, avoid }} />;
}
