import type { Reading } from "../../core/contract/desktop/films.ts";
import { vertebraName } from "../../core/cardiac/vertebra-name.ts";
import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";
import { resultMessages } from "../ui/messages/result.ts";

type FactsProps = {
  readonly score: Reading["score"];
  readonly ruler: Pick<NonNullable<Reading["ruler"]>, "kind"> & { readonly edges: readonly unknown[] } | null;
  readonly reading: Reading | null;
  readonly original: Reading | null;
};

/** The figures behind the score, and which pack found them. */
export function Facts({ score, ruler, reading, original }: FactsProps) {
  const text = useText();
  const format = useFormat();
  const unit = text(resultMessages.unit);
  const vertebrae = ruler ? ruler.edges.length - 1 : 0;
  const provenance = reading?.provenance ?? original?.provenance ?? null;
  // The votes of the networks say nothing about points that a person placed.
  const isByPerson = reading?.verdict === "corrected" || reading?.verdict === "by_hand";
  const spread = isByPerson ? null : (reading?.spread ?? original?.spread ?? null);
  const rows: readonly (readonly [string, string | null])[] = [
    [text(resultMessages.longAxis), score?.longAxisVertebrae ? `${format.number(score.longAxisVertebrae, 2)} ${unit}` : null],
    [text(resultMessages.shortAxis), score?.shortAxisVertebrae ? `${format.number(score.shortAxisVertebrae, 2)} ${unit}` : null],
    [text(resultMessages.axesAngle), score ? `${format.number(score.axesAngleDeg, 0)}°${score.areAxesPerpendicular ? "" : `, ${text(resultMessages.notPerpendicular)}`}` : null],
    [text(resultMessages.ruler), ruler && (ruler.kind === "fallback" ? text(resultMessages.ruler_fallback) : text(resultMessages.ruler_detected, { count: vertebrae, last: vertebraName(vertebrae - 1) }))],
    [text(resultMessages.spread), spread !== null ? format.number(spread, 4) : reading?.popDetected && !isByPerson ? text(resultMessages.noSpread) : null],
    [text(resultMessages.pack), provenance && `${provenance.packName} ${provenance.packVersion}`],
  ];
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== null);
  if (shown.length === 0) return null;
  return (
    <dl className="facts">
      {shown.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd className="data">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
