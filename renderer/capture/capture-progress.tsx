import { vhs } from "../../core/cardiac/measures/vhs.ts";
import { verdictOfTier } from "../../core/cardiac/verdict/film-verdict.ts";
import { useReaderMode } from "../state/films/reader-mode.ts";
import { Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { VerdictMark } from "../ui/verdict-mark.tsx";
import { useCapture } from "./capture-slice.ts";

export function CaptureProgress() {
  const text = useText();
  const format = useFormat();
  const { session, corners, fault, outlineFault } = useCapture();
  const isReader = useReaderMode((mode) => mode.isOn);
  if (fault) return <Notice tone="fault">{fault}</Notice>;
  if (!session) {
    if (outlineFault) return <Notice tone="fault">{outlineFault}</Notice>;
    return (
      <div role="status" className="stack">
        <strong>{text("capture.state_idle")}</strong>
        {corners && (
          <span className={corners.corners ? "tier optimal" : "quiet"}>
            {text(corners.corners ? "capture.cornersFound" : "capture.cornersNone")}
          </span>
        )}
      </div>
    );
  }
  const { lastFrame } = session;
  return (
    <div role="status" className="stack">
      <strong className="capture-state" data-testid="capture-state" data-status={session.status}>
        {text(`capture.state_${session.status}`)}
      </strong>
      <div className="good-frames" aria-hidden="true">
        {Array.from({ length: session.goodFramesNeeded }, (_, index) => (
          <span key={index} className={index < session.goodFrames ? "got" : ""} />
        ))}
      </div>
      <span>{text("capture.good", { good: session.goodFrames, needed: session.goodFramesNeeded })}</span>
      <span className="quiet" data-testid="frames">
        {text("capture.frames", { count: session.framesProcessed, most: session.maxFrames })} ·{" "}
        {text("capture.seconds", { seconds: session.secondsLeft })}
      </span>
      {lastFrame && (
        <div className="row">
          <span className={lastFrame.isGood ? "tier optimal" : "quiet"}>
            {text(lastFrame.isGood ? "capture.frameGood" : "capture.frameBad")}
          </span>
          {lastFrame.vhs !== null && !isReader && (
            <span className="data">
              {vhs.label} {format.score(lastFrame.vhs)}
            </span>
          )}
          {lastFrame.isGood && !isReader && <VerdictMark verdict={verdictOfTier(lastFrame.tier)} isBrief />}
        </div>
      )}
      {session.error && (
        <Notice tone="review">
          {text(`capture.error_${session.error}`)} {text("capture.advice")}
        </Notice>
      )}
    </div>
  );
}
