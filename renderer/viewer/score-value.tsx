import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";

/** A score in large figures with its unit. */
export function ScoreValue({
  score,
  value,
  isFirst,
}: {
  readonly score: "vhs" | "vlas";
  readonly value: number | null;
  readonly isFirst?: boolean;
}) {
  const text = useText();
  const format = useFormat();
  return (
    <div>
      <abbr className="score-name" title={text(`result.${score}Long`)}>
        {text(`result.${score}`)}
      </abbr>
      <div className={`score-value ${isFirst ? "" : "second"}`} data-testid={score}>
        {format.score(value)}
        {value !== null && <small aria-label={text("result.unitLong")}>{text("result.unit")}</small>}
      </div>
    </div>
  );
}
