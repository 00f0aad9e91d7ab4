import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { spreadLimits } from "../../../core/cardiac/confidence.ts";
import { shownSpread, spreadDecimals } from "../../../core/cardiac/shown-score.ts";
import type { ResultCode } from "../../../core/cardiac/result-codes.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { Hint } from "../../ui/button.tsx";
import { useShownKeys } from "../../ui/keys/keys.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

type Row = { readonly name: string; readonly about: string; readonly value: string | null };

export function ResearchFigures(props: { readonly reading: Reading; readonly original: Reading | null }) {
  const text = useText();
  const rows = [...useMeasuredRows(props), ...usePackRows(props)].filter(({ value }) => value !== null);
  if (rows.length === 0) return null;
  return (
    <details className="research" data-testid="research">
      <summary className="field-label">{text("result.research")}</summary>
      <dl className="facts">
        {rows.map(({ name, about, value }) => (
          <div key={name} className="fact">
            <dt>
              <Hint text={about}>
                <button type="button" className="source quiet">
                  {name}
                </button>
              </Hint>
            </dt>
            <dd className="data">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function useMeasuredRows({ reading, original }: Parameters<typeof ResearchFigures>[0]): readonly Row[] {
  const text = useText();
  const format = useFormat();
  const keys = useShownKeys("overlay.votes");
  const code = reading.resultCode as ResultCode | null;
  if (code === null || isPlacedByPerson(reading)) return [];
  const { popDetected: isPhotograph, votes } = reading;
  const spread = reading.spread ?? original?.spread ?? null;
  const limit = (value: number) => format.number(value, 3);
  return [
    {
      name: text("result.spread"),
      about: text("result.research_about_spread", {
        optimal: limit(spreadLimits.optimal),
        good: limit(spreadLimits.good),
      }),
      value:
        spread !== null
          ? `${format.number(shownSpread(spread), spreadDecimals)} (${bandOf(spread, limit)})`
          : isPhotograph
            ? text("result.noSpread")
            : null,
    },
    {
      name: text("result.research_votes"),
      about: text("result.research_about_votes", { keys }),
      value: votes.length > 1 ? format.number(votes.length, 0) : null,
    },
    {
      name: text("result.research_code"),
      about: text("result.research_about_code", { meaning: text(`result.code_${code}`) }),
      value: `${code}`,
    },
  ];
}

function usePackRows({ reading, original }: Parameters<typeof ResearchFigures>[0]): readonly Row[] {
  const text = useText();
  const provenance = reading.provenance ?? original?.provenance ?? null;
  const release = provenance?.release;
  return [
    {
      name: text("result.pack"),
      about: text("result.research_about_pack"),
      value: provenance && `${provenance.packName} ${provenance.packVersion}`,
    },
    {
      name: text("result.released"),
      about: text("result.research_about_released"),
      value: release ? `${release.releasedBy} (${release.publisher})` : null,
    },
  ];
}

function bandOf(spread: number, write: (limit: number) => string): string {
  const { optimal, good } = spreadLimits;
  return spread < optimal ? `< ${write(optimal)}` : spread < good ? `< ${write(good)}` : `≥ ${write(good)}`;
}
