import { fewestPairs, type Agreement, type Estimate } from "../../core/cardiac/agreement/agreement.ts";
import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

/** Bias and limits of agreement, each with its interval; how many readings they rest on. */
export function AgreementFigures({
  measure,
  count,
  accepted,
  agreement,
}: {
  readonly measure: KnownMeasure;
  readonly count: number;
  readonly accepted: number;
  /** null if there are too few readings. */
  readonly agreement: Agreement | null;
}) {
  const text = useText();
  return (
    <section className="stack" aria-label={text("agreement.figures", { score: measure.label })}>
      <p>{text("agreement.count", { count, accepted })}</p>
      {agreement ? (
        <dl className="agreement-figures">
          <Figure name={text("agreement.bias")} figure={agreement.bias} />
          <Figure name={text("agreement.lower")} figure={agreement.lower} />
          <Figure name={text("agreement.upper")} figure={agreement.upper} />
        </dl>
      ) : (
        <Notice>{text("agreement.tooFew", { count, fewest: fewestPairs })}</Notice>
      )}
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
