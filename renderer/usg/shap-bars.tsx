import type { UsgAnswer } from "../../core/contract/desktop/usg.ts";
import { probabilityPoints } from "../../core/usg/probability-points.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { useTypedValue } from "./units/use-typed-value.ts";

/** In percentage points, largest first: a bar to the right raises the risk, one to the left lowers it. */
export function ShapBars({ result: { explanation }, values }: Pick<UsgAnswer, "result" | "values">) {
  const text = useText();
  const format = useFormat();
  const typedValue = useTypedValue();
  const { base, points } = probabilityPoints(explanation);
  const largest = Math.max(...points.map(Math.abs), 1e-9);
  const bars = explanation.features.map(({ feature, shap }, index) => ({
    feature,
    shap,
    points: points[index] as number,
    name: text(`usg.feature_${feature}`),
  }));
  return (
    <div className="stack shap">
      <h3>{text("usg.explanation")}</h3>
      <ul>
        {bars.map(({ feature, name, points }) => {
          const share = (Math.abs(points) / largest) * 50;
          const words = text("usg.shap", {
            feature: name,
            value: typedValue(feature, values[feature]),
            direction: text(points > 0 ? "usg.raises" : "usg.lowers"),
            amount: format.number(100 * Math.abs(points), 1),
          });
          return (
            <li key={feature} data-testid="shap">
              <span>{words}</span>
              <span className="shap-track" aria-hidden="true">
                <span
                  className={`shap-bar ${points > 0 ? "raises" : "lowers"}`}
                  style={{ width: `${share}%`, left: points > 0 ? "50%" : `${50 - share}%` }}
                />
              </span>
              <span className="data shap-number">{format.signed(100 * points, 1)}</span>
            </li>
          );
        })}
      </ul>
      <span className="field-note">{text("usg.base", { value: format.percent(base) })}</span>
      <details className="no-print">
        <summary>{text("usg.logOdds")}</summary>
        <p className="data">
          {bars.map(({ name, shap }) => `${name} ${format.signed(shap, 2)}`).join(" · ")}
          {" · "}
          {text("usg.baseLogOdds", { value: format.signed(explanation.base_value, 2) })}
        </p>
        <p className="field-note">{text("usg.explanationNote")}</p>
      </details>
    </div>
  );
}
