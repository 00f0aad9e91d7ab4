import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";

/** A score in large figures with its unit. */
export function ScoreValue({
  measure: { name, label },
  value,
  isFirst,
}: {
  readonly measure: KnownMeasure;
  readonly value: number | null;
  readonly isFirst?: boolean;
}) {
  const text = useText();
  const format = useFormat();
  return (
    <div>
      <abbr className="score-name" title={text(`result.${name}Long`)}>
        {label}
      </abbr>
      <div className={`score-value ${isFirst ? "" : "second"}`} data-testid={name}>
        {format.score(value)}
        {value !== null && <small aria-label={text("result.unitLong")}>{text("result.unit")}</small>}
      </div>
    </div>
  );
}
