import type { UsgResult } from "../../core/contract/usg-v1.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { useUnitText } from "./use-unit-text.ts";

/**
 * Signed contribution of each value, largest first: to the right raises the risk, to the left lowers it; each also in
 * words.
 */
export function ShapBars({ explanation }: { readonly explanation: UsgResult["explanation"] }) {
  const text = useText();
  const format = useFormat();
  const unitText = useUnitText();
  const largest = Math.max(...explanation.features.map(({ shap }) => Math.abs(shap)), 1e-9);
  return (
    <div className="stack shap">
      <h3>{text("usg.explanation")}</h3>
      <ul>
        {explanation.features.map(({ feature, value, shap }) => {
          const share = (Math.abs(shap) / largest) * 50;
          const words = text("usg.shap", {
            feature: text(`usg.feature_${feature}`),
            value: `${format.number(value, Number.isInteger(value) ? 0 : 2)} ${unitText(feature)}`,
            direction: text(shap > 0 ? "usg.raises" : "usg.lowers"),
            amount: format.number(Math.abs(shap), 2),
          });
          return (
            <li key={feature} data-testid="shap">
              <span>{words}</span>
              <span className="shap-track" aria-hidden="true">
                <span
                  className={`shap-bar ${shap > 0 ? "raises" : "lowers"}`}
                  style={{ width: `${share}%`, left: shap > 0 ? "50%" : `${50 - share}%` }}
                />
              </span>
              <span className="data shap-number">{format.signed(shap, 2)}</span>
            </li>
          );
        })}
      </ul>
      <span className="field-note">
        {text("usg.base", { value: format.signed(explanation.base_value, 2) })}. {text("usg.explanationNote")}
      </span>
    </div>
  );
}
