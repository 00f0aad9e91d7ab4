import {
  minSameDayPairs,
  minUsedPairs,
  maxSameDayPairs,
  smallestChangeWithin,
} from "../../core/cardiac/agreement/same-day.ts";
import type { NetworkMeasureName } from "../../core/cardiac/measures/measures.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { useChannel } from "../state/queries.ts";
import { Loaded } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { Table } from "../ui/table.tsx";

type SameDayPairs = DesktopResponse<"agreement.sameDay">;

/** Deviation between films of the practice taken on the same day, next to the error stated by the pack. */
export function SameDay({ measure }: { readonly measure: NetworkMeasureName }) {
  const text = useText();
  const sameDay = useChannel("agreement.sameDay", { measure });
  return (
    <section className="stack" data-testid="same-day" aria-label={text("sameDay.title")}>
      <h2>{text("sameDay.title")}</h2>
      <p className="quiet">{text("sameDay.about", { most: maxSameDayPairs, used: minUsedPairs })}</p>
      <Loaded query={sameDay}>{(value) => <Figures {...value} />}</Loaded>
    </section>
  );
}

function Figures({ pairs, deviation, expected }: SameDayPairs) {
  const text = useText();
  const format = useFormat();
  const inUnit = (value: number) => `${format.number(value, 2)} ${text("result.unit")}`;
  const count = pairs.length;
  if (deviation === null || count < minSameDayPairs)
    return <p>{text("sameDay.tooFew", { count, fewest: minSameDayPairs })}</p>;
  const figures = [
    [text("sameDay.pairs"), format.number(count, 0)],
    [text("sameDay.deviation"), inUnit(deviation)],
    ...(expected === null ? [] : [[text("sameDay.expected"), inUnit(expected)]]),
    [text("sameDay.limit"), `±${inUnit(smallestChangeWithin(deviation))}`],
  ] as const;
  return (
    <>
      <dl className="agreement-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="data">{value}</dd>
          </div>
        ))}
      </dl>
      <PairsTable pairs={pairs} />
    </>
  );
}

function PairsTable({ pairs }: Pick<SameDayPairs, "pairs">) {
  const text = useText();
  const format = useFormat();
  return (
    <details className="agreement-table no-print">
      <summary>{text("sameDay.table", { count: pairs.length })}</summary>
      <Table
        heads={[
          text("films.takenAt"),
          { number: text("sameDay.first") },
          { number: text("sameDay.second") },
          { number: text("agreement.difference") },
        ]}
      >
        {pairs.map(([one, other]) => (
          <tr key={one.filmId}>
            <td className="data">{format.day(one.at)}</td>
            <td className="number">{format.number(one.value, 2)}</td>
            <td className="number">{format.number(other.value, 2)}</td>
            <td className="number">{format.signed(other.value - one.value, 2)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
