import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Loaded } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { Table } from "../ui/table.tsx";
import { ScreeningCourse } from "./screening-course.tsx";
import { useUsg } from "./usg-slice.ts";

export function ScreeningHistory({ patientId }: { readonly patientId: string }) {
  const text = useText();
  const format = useFormat();
  const showEarlier = useUsg((state) => state.showEarlier);
  const query = useChannel("usg.history", { patientId });
  return (
    <section className="card stack" aria-label={text("usg.history")}>
      <h2>{text("usg.history")}</h2>
      <Loaded query={query}>
        {({ screenings }) => (
          <>
            <ScreeningCourse screenings={screenings} onOpen={showEarlier} />
            {screenings.length === 0 ? (
              <p className="quiet">{text("usg.historyEmpty")}</p>
            ) : (
              <Table
                heads={[
                  text("common.date"),
                  text("usg.risk"),
                  { number: text("usg.probability") },
                  text("usg.modelOfResult"),
                  { hidden: text("trends.open"), className: "no-print" },
                ]}
              >
                {screenings.map((screening) => (
                  <tr key={screening.id}>
                    <td className="data">{format.minute(screening.at)}</td>
                    <td>{text(`usg.tier_${screening.result.risk_tier}`)}</td>
                    <td className="number">{format.percent(screening.result.probability_impaired)}</td>
                    <td className="data">{screening.result.model_version}</td>
                    <td className="number no-print">
                      <Button tone="plain" onClick={() => showEarlier(screening)}>
                        {text("trends.open")}
                      </Button>
                    </td>
                  </tr>
                ))}
              </Table>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
