import { irisCreatinineBands, irisSource, nextSteps } from "../../core/usg/next-steps.ts";
import type { RiskTier } from "../../core/usg/risk-tiers.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

type Band = { readonly below?: number; readonly from?: number; readonly to?: number; readonly above?: number };

export function NextSteps({ tier }: { readonly tier: RiskTier }) {
  const text = useText();
  const format = useFormat();
  const steps = nextSteps[tier];
  const isFromIris = steps.some((step) => step !== "urinalysis");
  const limits = ({ below, from, to, above }: Band, digits: number) => {
    const number = (value = 0) => format.number(value, digits);
    if (below !== undefined) return `< ${number(below)}`;
    return above === undefined ? `${number(from)}–${number(to)}` : `> ${number(above)}`;
  };
  if (steps.length === 0) return null;
  return (
    <div className="stack">
      <h3>{text("usg.nextSteps")}</h3>
      <ul className="next-steps">
        {steps.map((step) => (
          <li key={step}>{text(`usg.step_${step}`)}</li>
        ))}
      </ul>
      <span className="field-note">
        {[text("usg.urinalysisSource"), isFromIris && text("usg.stepsSource", { source: irisSource })]
          .filter(Boolean)
          .join(" ")}
      </span>
      {isFromIris && (
        <details>
          <summary>{text("usg.irisBands")}</summary>
          <p>{text("usg.irisContext")}</p>
          <ul className="next-steps">
            {irisCreatinineBands.map(({ stage, mgPerDl, umolPerL }) => (
              <li key={stage} className="data">
                {text("usg.irisStage", { stage })}: {limits(mgPerDl, 1)} mg/dL ({limits(umolPerL, 0)} µmol/L)
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
