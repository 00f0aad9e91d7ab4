import { Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";
import { captureMessages } from "../ui/messages/capture.ts";
import { resultMessages } from "../ui/messages/result.ts";
import { TierMark } from "../ui/tier-mark.tsx";
import { useCapture } from "./capture-slice.ts";

/** How the session stands: state, frames used, good ones, and what the last frame gave. */
export function CaptureProgress() {
  const text = useText();
  const format = useFormat();
  const { session, corners, fault } = useCapture();
  if (fault) return <Notice tone="fault">{fault}</Notice>;
  if (!session) {
    return (
      <div role="status" className="stack">
        <strong>{text(captureMessages.state_idle)}</strong>
        {corners && (
          <span className={corners.corners ? "tier optimal" : "quiet"}>
            {text(corners.corners ? captureMessages.cornersFound : captureMessages.cornersNone)}
          </span>
        )}
      </div>
    );
  }
  const { lastFrame } = session;
  return (
    <div role="status" className="stack">
      <strong className="capture-state" data-testid="capture-state" data-status={session.status}>
        {text(captureMessages[`state_${session.status}`])}
      </strong>
      <div className="good-frames" aria-hidden="true">
        {Array.from({ length: session.goodFramesNeeded }, (_, index) => (
          <span key={index} className={index < session.goodFrames ? "got" : ""} />
        ))}
      </div>
      <span>{text(captureMessages.good, { good: session.goodFrames, needed: session.goodFramesNeeded })}</span>
      <span className="quiet" data-testid="frames">
        {text(captureMessages.frames, { count: session.framesProcessed, most: session.maxFrames })} ·{" "}
        {text(captureMessages.seconds, { seconds: session.secondsLeft })}
      </span>
      {lastFrame && (
        <div className="row">
          <span className={lastFrame.isGood ? "tier optimal" : "quiet"}>
            {text(lastFrame.isGood ? captureMessages.frameGood : captureMessages.frameBad)}
          </span>
          {lastFrame.vhs !== null && (
            <span className="data">
              {text(resultMessages.vhs)} {format.score(lastFrame.vhs)}
            </span>
          )}
          {lastFrame.isGood && <TierMark tier={lastFrame.tier} />}
        </div>
      )}
      {session.error && (
        <Notice tone="review">
          {text(captureMessages[`error_${session.error}`])} {text(captureMessages.advice)}
        </Notice>
      )}
    </div>
  );
}
