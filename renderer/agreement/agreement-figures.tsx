import {
  minPairs,
  meanDifference,
  neededPairs,
  type Agreement,
  type Estimate,
  type ValuePair,
} from "../../core/cardiac/agreement/agreement.ts";
import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

export function AgreementFigures({
  measure,
  count,
  agreement,
  accepted,
  total,
  anchored,
}: {
  readonly measure: KnownMeasure;
  readonly count: number;
  readonly agreement: Agreement | null;
  readonly accepted: number;
  readonly total: number;
  readonly anchored: readonly ValuePair[];
}) {
  const text = useText();
  const format = useFormat();
  const shift = meanDifference(anchored);
  return (
    <section className="stack" aria-label={text("agreement.figures", { score: measure.label })}>
      <p>
        <strong>{text("agreement.independent", { count, needed: neededPairs })}</strong>{" "}
        {count < neededPairs && text("agreement.independentHow")}
      </p>
      {agreement ? (
        <dl className="agreement-figures">
          <Figure name={text("agreement.bias")} figure={agreement.bias} />
          <Figure name={text("agreement.lower")} figure={agreement.lower} />
          <Figure name={text("agreement.upper")} figure={agreement.upper} />
        </dl>
      ) : (
        <Notice>{text("agreement.tooFew", { count, fewest: minPairs })}</Notice>
      )}
      <p>
        {text("agreement.accepted", { accepted, total, percent: format.number((100 * accepted) / total, 0) })}{" "}
        {shift !== null && text("agreement.anchored", { count: anchored.length, shift: format.signed(shift, 2) })}
      </p>
    </section>
  );
}

function Figure({ name, figure }: { readonly name: string; readonly figure: Estimate }) {
  const text = useText();
  const format = useFormat();
  return (
    <div>
      <dt>{name}</dt>
      <dd className="data">
        {format.signed(figure.value, 2)} {text("result.unit")}
      </dd>
      <dd className="quiet fine">
        {text("agreement.interval", { low: format.signed(figure.low, 2), high: format.signed(figure.high, 2) })}
      </dd>
    </div>
  );
}
