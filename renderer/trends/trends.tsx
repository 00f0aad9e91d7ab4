import "./trends.css";
import { trendCsv } from "../../core/contract/desktop/trends/trend-csv.ts";
import { useEffect, useRef, type ReactNode } from "react";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { NewPatient } from "../patients/new-patient.tsx";
import { PatientList } from "../patients/patient-list.tsx";
import { usePatientWords } from "../patients/patient-words.ts";
import { attempt } from "../state/faults.ts";
import { openNewestFilm } from "../state/films/open-newest.ts";
import { useOpenFilm } from "../state/films/films.ts";
import { shownPoints } from "../../core/contract/desktop/trends/trend-series.ts";
import { useReaderMode } from "../state/films/reader-mode.ts";
import { usePatients } from "../state/patients.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed, Loading, Notice, Stale } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { PaneSeparator } from "../ui/panes/pane-separator.tsx";
import { saveCsv } from "../ui/save-file.ts";
import { Comparison } from "./comparison.tsx";
import { PatientData } from "./patient-data.tsx";
import { EarlierFilms } from "./earlier-films.tsx";
import { ChangeOfScore } from "./change-of-score.tsx";
import { TrendChart } from "./trend-chart.tsx";
import { TrendTable } from "./trend-table.tsx";
import { useTrends } from "./trends-slice.ts";
import { UnvalidatedNote } from "../state/upkeep/unvalidated-note.tsx";

export function Trends() {
  const text = useText();
  const { chosen, choose, followFilm } = usePatients();
  const openFilm = useOpenFilm();
  // A patient selected here stays until another film is opened.
  useEffect(() => {
    if (openFilm?.patient && followFilm(openFilm.id, openFilm.patient.id)) choose(openFilm.patient);
  }, [openFilm, followFilm, choose]);
  const turnTo = (patient: Patient) => {
    choose(patient);
    attempt(() => openNewestFilm(patient.id));
  };
  return (
    <div className="trends">
      <section className="trends-patients no-print" aria-label={text("trends.patients")}>
        <PaneSeparator pane="patients" edge="end" label={text("common.widthOf", { pane: text("trends.patients") })} />
        <PatientList chosenId={chosen?.id ?? null} keepsSearch onChoose={turnTo} />
        <NewPatient onCreated={choose} />
      </section>
      {/* The key prevents one patient's trend from being shown as another's. */}
      {chosen ? <Course key={chosen.id} patientId={chosen.id} /> : <NothingChosen />}
    </div>
  );
}

function NothingChosen() {
  const text = useText();
  const hasPatients = usePatients((state) => state.patients.length > 0 || state.search !== "");
  return (
    <Empty icon="trends" title={text(hasPatients ? "trends.choose" : "trends.noPatients")}>
      <p>{text(hasPatients ? "trends.chooseText" : "trends.noPatientsText")}</p>
    </Empty>
  );
}

function Course({ patientId }: { readonly patientId: string }) {
  const text = useText();
  const { value: trend, fault, staleFault, reload } = useChannel("trends.get", { patientId });
  const { isComparing, turnTo } = useTrends();
  useEffect(() => turnTo(patientId), [patientId, turnTo]);
  useEffect(() => {
    if (trend) useTrends.getState().unmarkOthers(trend.points.flatMap(({ filmId }) => filmId ?? []));
  }, [trend]);
  useReturnFromComparing(isComparing);
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!trend) return <Loading label={text("common.loading")} />;
  if (isComparing) return <Comparison />;
  return <ScoresOverTime trend={trend} stale={<Stale fault={staleFault} onRetry={reload} />} />;
}

function useReturnFromComparing(isComparing: boolean): void {
  const was = useRef(isComparing);
  useEffect(() => {
    if (was.current && !isComparing && document.activeElement === document.body)
      document.querySelector<HTMLElement>(".trends .compare-films")?.focus();
    was.current = isComparing;
  }, [isComparing]);
}

function ScoresOverTime({
  trend,
  stale,
}: {
  readonly trend: DesktopResponse<"trends.get">;
  readonly stale: ReactNode;
}) {
  const text = useText();
  const { patient } = trend;
  const points = shownPoints(trend.points, useReaderMode().isOn);
  const hidden = trend.points.length - points.length;
  const wordsOf = usePatientWords();
  const about = [wordsOf(patient), patient.owner].filter(Boolean).join(" · ");
  return (
    <div className="page">
      {stale}
      <header className="page-head">
        <div>
          <h1>{patient.name}</h1>
          <span className="quiet">{about}</span>
        </div>
        <div className="row no-print">
          <EarlierFilms patientId={patient.id} />
          <Button
            icon="download"
            disabled={points.length === 0 || hidden > 0}
            onClick={() => saveCsv("trend.csv", trendCsv(trend.points))}
          >
            {text("common.csv")}
          </Button>
          <Button icon="print" disabled={points.length === 0} onClick={() => window.print()}>
            {text("common.print")}
          </Button>
          <PatientData patient={patient} />
        </div>
      </header>
      {hidden > 0 && <HiddenFilms count={hidden} />}
      {points.length === 0 ? (
        hidden === 0 && <Empty icon="trends" title={text("trends.noPoints")} />
      ) : (
        <>
          <div className="charts-pane">
            <div className="charts">
              {shownMeasures(...points).map((measure) => (
                <figure key={measure.name}>
                  <ChangeOfScore
                    measure={measure}
                    points={points}
                    rate={hidden > 0 ? null : (trend[measure.name] ?? null)}
                  />
                  <TrendChart measure={measure} points={points} patient={patient} />
                </figure>
              ))}
            </div>
            <PaneSeparator
              pane="charts"
              edge="below"
              of=".chart-area > svg"
              label={text("common.heightOf", { pane: text("trends.charts") })}
            />
          </div>
          <TrendTable points={points} patient={patient} />
          <UnvalidatedNote />
        </>
      )}
    </div>
  );
}

function HiddenFilms({ count }: { readonly count: number }) {
  const text = useText();
  return (
    <Notice tone="review">
      <p>{text("reader.hiddenFilms", { count })}</p>
      <Button onClick={() => useReaderMode.setState({ isOn: false })}>{text("reader.leave")}</Button>
    </Notice>
  );
}
