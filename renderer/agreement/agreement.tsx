import "./agreement.css";
import {
  agreementOf,
  byIndependence,
  fewestPairs,
  neededPairs,
  recentBias,
} from "../../core/cardiac/agreement/agreement.ts";
import { networkMeasures } from "../../core/cardiac/measures/measures.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed, Loading, Stale } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { saveTextFile } from "../ui/save-file.ts";
import { AgreementFigures } from "./agreement-figures.tsx";
import { AgreementFilters } from "./agreement-filters.tsx";
import { AgreementPlot } from "./agreement-plot.tsx";
import { AgreementTable } from "./agreement-table.tsx";
import { BlindFilms } from "./blind-films.tsx";
import { SameDay } from "./same-day.tsx";
import { BiasWarning } from "./bias-warning.tsx";
import { useAgreement } from "../state/agreement/agreement.ts";
import { UnvalidatedNote } from "../state/upkeep/unvalidated-note.tsx";

export function Agreement() {
  const text = useText();
  const filter = useAgreement((state) => state.filter);
  const { value, fault, isCurrent, staleFault, reload } = useChannel("agreement.get", filter);
  const isEmpty = !value || !isCurrent || value.pairs.length === 0;
  return (
    <div className="page agreement">
      <header className="page-head">
        <div>
          <h1>{text("agreement.title")}</h1>
          <p className="quiet">{text("agreement.about")}</p>
        </div>
        <div className="row no-print">
          <Button
            icon="download"
            disabled={isEmpty}
            onClick={() => attempt(async () => saveTextFile(await call("agreement.csv", filter)))}
          >
            {text("common.csv")}
          </Button>
          <Button icon="print" disabled={isEmpty} onClick={() => window.print()}>
            {text("common.print")}
          </Button>
        </div>
      </header>
      <AgreementFilters packs={value?.packs ?? []} />
      <Stale fault={staleFault} onRetry={reload} />
      {fault ? (
        <Failed fault={fault} onRetry={reload} />
      ) : value && isCurrent ? (
        <Compared value={value} />
      ) : (
        <Loading label={text("common.loading")} />
      )}
    </div>
  );
}

function Compared({ value }: { readonly value: DesktopResponse<"agreement.get"> }) {
  const text = useText();
  const { filter, choose } = useAgreement();
  const { pairs, total } = value;
  const measure = networkMeasures.find(({ name }) => name === filter.measure);
  if (!measure) return null;
  if (pairs.length === 0)
    return (
      <>
        <Empty icon="compare" title={text(total === 0 ? "agreement.none" : "agreement.noneChosen")}>
          {total === 0 && <BlindFilms />}
          <p>{text(total === 0 ? "agreement.noneText" : "agreement.noneChosenText", { total })}</p>
          {total > 0 && (
            <Button onClick={() => choose({ pack: undefined, tier: undefined, species: undefined, days: undefined })}>
              {text("agreement.showAll")}
            </Button>
          )}
        </Empty>
        <SameDay measure={filter.measure} />
      </>
    );
  const { independent, anchored, accepted } = byIndependence(pairs);
  const drawn = [...independent, ...anchored];
  const agreement = independent.length >= fewestPairs ? agreementOf(independent) : null;
  return (
    <>
      <BiasWarning measure={measure} recent={recentBias(independent, measure.name)} />
      <AgreementFigures
        measure={measure}
        count={independent.length}
        agreement={agreement}
        accepted={accepted.length}
        total={pairs.length}
        anchored={anchored}
      />
      {independent.length < neededPairs && <BlindFilms />}
      {drawn.length > 0 && (
        <section className="card">
          <AgreementPlot measure={measure} pairs={drawn} agreement={agreement} />
        </section>
      )}
      <AgreementTable measure={measure} pairs={pairs} />
      <SameDay measure={filter.measure} />
      <p className="quiet fine">{text("agreement.source")}</p>
      <UnvalidatedNote />
    </>
  );
}
