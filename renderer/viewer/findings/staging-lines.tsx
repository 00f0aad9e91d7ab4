import { measures } from "../../../core/cardiac/measures/measures.ts";
import type { StagingLine } from "../../../core/cardiac/findings/staging-aid.ts";
import { enumerated } from "../../../core/language/say.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

const tones = { ruleOut: "optimal", unlikely: "optimal", grey: "good", likely: "review", ruleIn: "review" } as const;

export function StagingLines({ lines }: { readonly lines: readonly StagingLine[] }) {
  const text = useText();
  const sentenceOf = useSentence();
  if (lines.length === 0) return <p className="quiet">{text("findings.stage_none")}</p>;
  return (
    <ul className="criteria" data-testid="staging-lines">
      {lines.map((line) => (
        <li key={`${line.measure} ${line.source}`}>
          <span className={`tier ${tones[line.zone]}`}>{text(`findings.stage_${line.zone}`)}</span> {sentenceOf(line)}{" "}
          <span className="quiet fine">{line.source}</span>
        </li>
      ))}
    </ul>
  );
}

function useSentence(): (line: StagingLine) => string {
  const text = useText();
  const format = useFormat();
  return ({ measure, value, low, best = null, high, isExceeded = false, isScreening = false }) => {
    const isLength = measure !== "ntProBnp";
    const number = (figure: number) =>
      isLength ? `${format.number(figure, 1)} ${text("result.unit")}` : `${format.number(figure, 0)} pmol/L`;
    const name = measures.find((each) => each.name === measure)?.label ?? "NT-proBNP";
    const accuracy = ({ sensitivity, specificity }: NonNullable<StagingLine["low"]>) =>
      specificity === null
        ? null
        : sensitivity === null
          ? text("findings.stage_specificity", { specificity: format.number(specificity, 0) })
          : text("findings.stage_accuracy", {
              sensitivity: format.number(sensitivity, 0),
              specificity: format.number(specificity, 0),
            });
    const part = (
      cutoff: StagingLine["low"],
      key: "below" | "unlikelyUpTo" | "best" | "from" | "above" | "likelyAbove",
    ) =>
      cutoff && [text(`findings.stage_${key}`, { at: number(cutoff.at) }), accuracy(cutoff)].filter(Boolean).join(", ");
    const parts = isScreening
      ? [part(low, "unlikelyUpTo"), part(high, "likelyAbove")]
      : [part(low, "below"), part(best, "best"), part(high, isExceeded ? "above" : "from")];
    const known = parts.flatMap((each) => each || []);
    return `${name} ${number(value)} (${enumerated(known, text)})`;
  };
}
