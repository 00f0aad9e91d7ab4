import { biasBand, type RecentBias } from "../../core/cardiac/agreement/agreement.ts";
import type { networkMeasures } from "../../core/cardiac/measures/measures.ts";
import { Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

export function BiasWarning({
  measure,
  recent,
}: {
  readonly measure: (typeof networkMeasures)[number];
  readonly recent: RecentBias | null;
}) {
  const text = useText();
  const format = useFormat();
  if (!recent?.isOutside) return null;
  const said = {
    count: recent.count,
    score: measure.label,
    bias: format.number(Math.abs(recent.bias), 2),
    band: format.number(biasBand[measure.name], 2),
  };
  return (
    <Notice tone="review">
      <strong>{text(recent.bias > 0 ? "agreement.readsHigh" : "agreement.readsLow", said)}</strong>{" "}
      {text("agreement.whatToDo", said)}
    </Notice>
  );
}
