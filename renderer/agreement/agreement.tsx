import "./agreement.css";
import { agreementCsv } from "../../core/contract/desktop/trends/agreement-csv.ts";
import {
  agreementOf,
  groupByIndependence,
  minPairs,
  neededPairs,
  recentBias,
  type RecentBias,
} from "../../core/cardiac/agreement/agreement.ts";
import { measures, networkMeasures, type KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed, Loading, Stale, Notice } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { saveCsv } from "../ui/save-file.ts";
import { AgreementFigures } from "./agreement-figures.tsx";
import { AgreementFilters } from "./agreement-filters.tsx";
import { AgreementPlot } from "./agreement-plot.tsx";
import { AgreementTable } from "./agreement-table.tsx";
import { SameDay } from "./same-day.tsx";
import { useAgreement } from "../state/agreement/agreement.ts";
import { UnvalidatedNote } from "../state/upkeep/unvalidated-note.tsx";
import { useFormat } from "../ui/language/format.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { isSampleFilm } from "../../core/sample-study.ts";
import { showFilm } from "../state/films/show-film.ts";
import { useReaderMode } from "../state/films/reader-mode.ts";

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
            onClick={() => saveCsv(`agreement-${filter.measure}.csv`, agreementCsv(filter.measure, value?.pairs ?? []))}
          >
            {text("common.csv")}
          </Button>
          <Button icon="print" disabled={isEmpty} onClick={() => window.print()}>
            {text("common.print")}
          </Button>
        </div>
      </header>
      <AgreementFilters packs={value?.packs ?? []} readers={value?.readers ?? []} />
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
  const { filter, showAll } = useAgreement();
  const { pairs, total } = value;
  const measure = measures.find(({ name }) => name === filter.measure);
  if (!measure) return null;
  const ofNetworks = networkMeasures.find(({ name }) => name === filter.measure);
  if (pairs.length === 0)
    return (
      <>
        <Empty icon="compare" title={text(total === 0 ? "agreement.none" : "agreement.noneChosen")}>
          {total === 0 && <BlindFilms />}
          <p>{text(total === 0 ? "agreement.noneText" : "agreement.noneChosenText", { total })}</p>
          {total > 0 && <Button onClick={() => showAll(filter.measure)}>{text("agreement.showAll")}</Button>}
        </Empty>
        {ofNetworks && <SameDay measure={ofNetworks.name} />}
      </>
    );
  const { independent, anchored, accepted } = groupByIndependence(pairs);
  const drawn = [...independent, ...anchored];
  const agreement = independent.length >= minPairs ? agreementOf(independent) : null;
  return (
    <>
      {/* The warning needs all readers, so it is hidden while one is selected. */}
      <BiasWarning measure={measure} recent={filter.reader ? null : recentBias(independent, measure.name)} />
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
      {ofNetworks && <SameDay measure={ofNetworks.name} />}
      <p className="quiet fine">{text("agreement.source")}</p>
      <UnvalidatedNote />
    </>
  );
}

function BiasWarning({ measure, recent }: { readonly measure: KnownMeasure; readonly recent: RecentBias | null }) {
  const text = useText();
  const format = useFormat();
  if (!recent?.isOutside) return null;
  const said = {
    count: recent.count,
    score: measure.label,
    bias: format.number(Math.abs(recent.bias), 2),
    band: format.number(recent.band, 2),
  };
  return (
    <Notice tone="review">
      <strong>{text(recent.bias > 0 ? "agreement.readsHigh" : "agreement.readsLow", said)}</strong>{" "}
      {text("agreement.whatToDo", said)}
    </Notice>
  );
}

const offered = 3;

/** Offers the newest undecided films for measuring in reader mode; renders nothing without such films. */
function BlindFilms() {
  const text = useText();
  const format = useFormat();
  const { value } = useChannel("films.list", { standing: "undecided", order: "takenNewest", limit: 50 });
  const films = value?.films.filter((film) => film.reading?.vhs && film.hasImage && !isSampleFilm(film)) ?? [];
  if (films.length === 0) return null;
  const readBlind = ({ id }: Film) => {
    useReaderMode.setState({ isOn: true });
    showFilm(id);
  };
  return (
    <section className="row no-print" aria-label={text("reader.offer")} data-testid="blind-films">
      <span className="quiet">{text("reader.offer")}</span>
      {films.slice(0, offered).map((film) => (
        <Button key={film.id} icon="ruler" onClick={() => readBlind(film)}>
          {`${film.patient?.name || film.fileName}, ${format.day(film.takenAt)}`}
        </Button>
      ))}
    </section>
  );
}
