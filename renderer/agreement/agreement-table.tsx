import { useState } from "react";
import { shownDifference } from "../../core/cardiac/agreement/agreement.ts";
import { verdictOfTier } from "../../core/cardiac/verdict/film-verdict.ts";
import type { KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import type { AgreementPair } from "../../core/contract/desktop/trends/agreement.ts";
import { Button } from "../ui/button.tsx";
import { showFilm } from "../state/films/show-film.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { VerdictMark } from "../ui/verdict-mark.tsx";
import { Table } from "../ui/table.tsx";

export function AgreementTable({
  measure,
  pairs,
}: {
  readonly measure: KnownMeasure;
  readonly pairs: readonly AgreementPair[];
}) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="agreement-table no-print" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text("agreement.table", { count: pairs.length })}</summary>
      {isOpen && (
        <Table
          heads={[
            text("agreement.decided"),
            { number: text("agreement.network", { score: measure.label }) },
            { number: text("agreement.person", { score: measure.label }) },
            { number: text("agreement.difference") },
            text("agreement.decision"),
            text("verdict.title"),
            text("result.pack"),
            { hidden: text("trends.open") },
          ]}
        >
          {[...pairs].reverse().map((pair, index) => (
            <Row key={pair.filmId ?? `${pair.at} ${index}`} pair={pair} />
          ))}
        </Table>
      )}
    </details>
  );
}

function Row({ pair }: { readonly pair: AgreementPair }) {
  const text = useText();
  const format = useFormat();
  const { filmId } = pair;
  return (
    <tr>
      <td className="data">{format.minute(pair.at)}</td>
      <td className="number">{format.number(pair.network, 2)}</td>
      <td className="number">{format.number(pair.person, 2)}</td>
      <td className="number">{format.signed(shownDifference(pair), 2)}</td>
      <td>{text(`agreement.decision_${pair.decision}`)}</td>
      <td>{pair.tier ? <VerdictMark verdict={verdictOfTier(pair.tier)} isBrief /> : "—"}</td>
      <td>{pair.pack?.version ?? "—"}</td>
      <td className="number">
        {filmId !== null && (
          <Button tone="plain" onClick={() => showFilm(filmId)}>
            {text("trends.open")}
          </Button>
        )}
      </td>
    </tr>
  );
}
