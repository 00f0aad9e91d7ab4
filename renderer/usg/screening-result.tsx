import type { UsgAnswer } from "../../core/contract/desktop/usg.ts";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { correctionOf } from "../../core/usg/unit-correction.ts";
import { useUnitText } from "./units/use-unit-text.ts";
import { NextSteps } from "./next-steps.tsx";
import { ShapBars } from "./shap-bars.tsx";

const tones = { low: "optimal", moderate_low: "good", moderate_high: "review", high: "fault-text" } as const;

export function ScreeningResult({
  result,
  values,
  at,
  isImagined,
  thresholdImpaired: threshold,
}: Pick<UsgAnswer, "result" | "values" | "thresholdImpaired"> & {
  /** Time of the screening; an earlier one is shown in the same place. */
  readonly at: string;
  readonly isImagined: boolean;
}) {
  const text = useText();
  const format = useFormat();
  const probability = result.probability_impaired;
  return (
    <section
      className={`card stack ${isImagined ? "imagined" : ""}`}
      aria-label={text("result.result")}
      aria-live="polite"
    >
      <div className="page-head">
        <h2>{text(isImagined ? "usg.whatIf" : "result.result")}</h2>
        <span className="quiet">
          {!isImagined && `${format.minute(at)} · `}
          {text(`usg.class_${result.classification}`)}
        </span>
      </div>
      <div className="usg-score">
        <span className="score-value" data-testid="probability">
          {format.percent(probability)}
        </span>
        <div>
          <strong className={`tier ${tones[result.risk_tier]}`} data-testid="risk-tier">
            {(result.risk_tier === "moderate_high" || result.risk_tier === "high") && <Icon name="alert" />}
            {text(`usg.tier_${result.risk_tier}`)}
          </strong>
          <div>{text(`usg.action_${result.risk_tier}`)}</div>
        </div>
      </div>
      <div>
        <span className="field-label">{text("usg.probability")}</span>
        <div className="probability-bar" aria-hidden="true">
          <span className={`fill ${tones[result.risk_tier]}`} style={{ width: `${probability * 100}%` }} />
          <span className="mark" style={{ left: `${threshold * 100}%` }} />
        </div>
        <span className="field-note">{text("usg.threshold", { value: format.percent(threshold, 2) })}</span>
      </div>
      {result.warnings && (
        <Notice tone="review">
          <strong>{text("usg.warnings")}</strong>
          {result.warnings.map((warning) => (
            <Correction key={warning} warning={warning} />
          ))}
        </Notice>
      )}
      <NextSteps tier={result.risk_tier} />
      <ShapBars result={result} values={values} />
    </section>
  );
}

/** A unit correction by the service, in words; unknown codes are shown as returned. */
function Correction({ warning }: { readonly warning: string }) {
  const text = useText();
  const format = useFormat();
  const unitText = useUnitText();
  const correction = correctionOf(warning);
  if (!correction) return <div lang="en">{warning}</div>;
  const { key, given, taken } = correction;
  return (
    <div>
      {text("usg.corrected", {
        feature: text(`usg.feature_${key}`),
        given: format.plain(given),
        meant: unitText(key, 1),
        taken: `${format.plain(taken)} ${unitText(key)}`,
      })}
    </div>
  );
}
