import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { canMeasureAgain } from "../../../core/cardiac/capture/measured-again.ts";
import type { ResultCode } from "../../../core/cardiac/result-codes.ts";
import { reviewReasonText } from "../../../core/cardiac/verdict/review-reason-text.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { lacksPack } from "../../film/lacks-pack.ts";
import { useReasonLeftAlone } from "../../film/use-reason-left-alone.ts";
import { call } from "../../state/connection.ts";
import { attempt, failureText } from "../../state/faults.ts";
import { ToSettings } from "../../state/places/to-settings.tsx";
import { useProgram } from "../../state/program.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/empty.tsx";
import { runCommand } from "../../ui/keys/shortcuts.ts";
import { useShownKeys } from "../../ui/keys/keys.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useLanguage, useText } from "../../ui/language/language.ts";

export function Standing({ film, reading }: { readonly film: Film; readonly reading: Reading | null }) {
  const text = useText();
  // A reading that is still loading is not missing.
  if (!reading) return film.reading ? null : <WithoutReading film={film} />;
  const code = isPlacedByPerson(reading) ? null : (reading.resultCode as ResultCode | null);
  const { verdict, popDetected } = reading;
  const isDoubtful = code !== null && code > 2 && verdict !== "rejected";
  // The verdict above covers all other cases.
  if (verdict !== "accepted" && verdict !== "rejected" && !popDetected && !isDoubtful) return null;
  return (
    <div className="standing">
      {(verdict === "accepted" || popDetected) && (
        <div className="row">
          {verdict === "accepted" && <strong>{text("result.verdict_accepted")}</strong>}
          {popDetected && <span className="quiet fine">{text("result.popDetected")}</span>}
        </div>
      )}
      {isDoubtful && <CodeMeaning code={code} reasons={reading.reviewReasons} takenFor={reading.takenFor} />}
      {verdict === "rejected" && <Notice tone="review">{text("result.rejectedNote")}</Notice>}
    </div>
  );
}

function CodeMeaning({
  code,
  reasons,
  takenFor,
}: {
  readonly code: ResultCode;
  readonly reasons: Reading["reviewReasons"];
  readonly takenFor: Reading["takenFor"];
}) {
  const text = useText();
  const format = useFormat();
  const keys = {
    correct: useShownKeys("correct.start"),
    byHand: useShownKeys("correct.byHand"),
    cranial: useShownKeys("correct.shiftCranial"),
    caudal: useShownKeys("correct.shiftCaudal"),
  };
  const meaning = text(code === 3 ? "result.measuredToCheck" : `result.code_${code}`);
  return (
    <Notice tone="review">
      {meaning}
      {code === 6 && takenFor && <div>{text(`result.takenFor_${takenFor}`)}</div>}
      {reasons.length > 0 && (
        <ul className="review-reasons" data-testid="review-reasons">
          {reasons.map((reason) => (
            <li key={reason.kind}>
              {reviewReasonText(reason, text, format.number)} {text(`review.do_${reason.kind}`, keys)}
            </li>
          ))}
        </ul>
      )}
      {(code === 5 || code === 6 || code === 7) && <div className="quiet">{text(`result.advice_${code}`)}</div>}
      {code === 6 && (
        <div className="advice-act">
          <Button icon="ruler" onClick={() => runCommand("correct.byHand")}>
            {text("result.byHand")}
          </Button>
        </div>
      )}
    </Notice>
  );
}

function WithoutReading({ film }: { readonly film: Film }) {
  const text = useText();
  const language = useLanguage((state) => state.language);
  const reason = useReasonLeftAlone(film);
  const hasNoPack = useProgram((state) => state.health?.hasNoPack ?? false);
  if (isInQueue(film)) return <span className="quiet">{text("result.waitingFor")}</span>;
  const measure = () => attempt(() => call("films.retry", { filmIds: [film.id] }));
  const isFailed = film.failure !== null && !lacksPack(film);
  const state = text(isFailed ? "films.state_failed" : "films.unmeasured");
  return (
    <>
      <Notice {...(isFailed && { tone: "fault" })}>
        <strong>{reason ? `${text("common.labelled", { label: state })} ${reason}` : state}</strong>
        {film.failure && <div>{failureText(film.failure, language)}</div>}
        {reason && <div className="quiet">{text("studies.leftAloneNote")}</div>}
      </Notice>
      <div className="row">
        {hasNoPack && lacksPack(film) ? (
          // Without a pack, measuring again would fail again.
          <ToSettings tab="packs" />
        ) : (
          <Button icon="retry" disabled={!canMeasureAgain(film)} onClick={measure}>
            {text(reason ? "studies.measureAnyway" : "films.measureAgain")}
          </Button>
        )}
      </div>
    </>
  );
}

export function isInQueue({ state }: Film): boolean {
  return state === "queued" || state === "measuring";
}
