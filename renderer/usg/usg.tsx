import "./usg.css";
import { useEffect } from "react";
import { flushSync } from "react-dom";
import { areSpeciesCompatible } from "../../core/species.ts";
import { ChosenPatient } from "../patients/chosen-patient.tsx";
import { usePatients } from "../state/patients.ts";
import { useProgram } from "../state/program.ts";
import { ToSettings } from "../state/places/to-settings.tsx";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { PackValidation } from "../ui/pack-validation.tsx";
import { ScreeningForm } from "./screening-form.tsx";
import { ScreeningHistory } from "./screening-history.tsx";
import { ScreeningResult } from "./screening-result.tsx";
import { useUsg } from "./usg-slice.ts";
import { WhatIfSliders } from "./what-if.tsx";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { usePatientWords } from "../patients/patient-words.ts";

export function Usg() {
  const text = useText();
  const format = useFormat();
  const chosen = usePatients((state) => state.chosen);
  const { value: model, fault } = useChannel("usg.model", {});
  const cat = chosen && areSpeciesCompatible(chosen.species, "cat") ? chosen : null;
  const catId = cat?.id ?? null;
  const isFilmPackUnvalidated = useProgram((state) => state.health?.release === null);
  const { whatIf, turnTo } = useUsg();
  // The response to a screening of a previously selected cat is stored with that cat, but not shown.
  const screening = useUsg((state) => (state.screening?.patientId === catId ? state.screening : null));
  useEffect(() => turnTo(catId), [catId, turnTo]);
  usePrintsMeasured();
  // An earlier result may be from another model, so the details below refer to the result shown.
  const shown = screening && (whatIf?.answer ?? screening);
  const modelVersion = shown ? shown.result.model_version : model?.modelVersion;
  const cutoff = shown ? shown.result.threshold_sg : model?.sgCutoff;
  const release = shown ? shown.release : model?.release;
  // On screen, the status bar already states that the results are not validated; on paper it is missing.
  const isStatedInBar = release === null && isFilmPackUnvalidated;
  if (model && !model.isLoaded)
    return (
      <Empty icon="usg" title={text("usg.noModel")}>
        <p>{text("usg.noModelText")}</p>
        <ToSettings tab="packs" />
      </Empty>
    );
  return (
    <div className="page usg">
      <PrintedHead cat={cat} />
      <header className="page-head">
        <div>
          <h1>{text("usg.title")}</h1>
          {cutoff && <p className="quiet">{text("usg.about", { cutoff: format.number(cutoff, 3) })}</p>}
        </div>
        <div className="row">
          <ChosenPatient
            patient={cat}
            label={text("films.species_cat")}
            chooseLabel={text("usg.chooseCat")}
            species="cat"
          />
          <Button className="no-print" icon="print" disabled={!screening} onClick={() => window.print()}>
            {text("common.print")}
          </Button>
        </div>
      </header>
      {fault && <Notice tone="fault">{fault}</Notice>}
      <div className="usg-columns">
        <ScreeningForm patientId={catId} />
        <div className="stack">
          {screening && shown ? (
            <ScreeningResult {...shown} at={screening.at} isImagined={shown !== screening} />
          ) : (
            <section className="card">
              <Empty icon="usg" title={text("usg.resultEmpty")}>
                <p>{text("usg.resultEmptyText")}</p>
              </Empty>
            </section>
          )}
          {screening && <WhatIfSliders />}
          {cat && <ScreeningHistory key={cat.id} patientId={cat.id} />}
        </div>
      </div>
      {screening && <PrintedSignature />}
      <footer className="row fine">
        {modelVersion && <span className="quiet">{text("common.modelVersion", { version: modelVersion })}</span>}
        {release !== undefined && (
          <span className={isStatedInBar ? "print-only" : ""}>
            <PackValidation release={release} />
          </span>
        )}
      </footer>
    </div>
  );
}

/** Discards a what-if result before printing, as it could be mistaken for the result of the measured values. */
function usePrintsMeasured(): void {
  const resetWhatIf = useUsg((state) => state.resetWhatIf);
  useEffect(() => {
    const reset = () => flushSync(resetWhatIf);
    window.addEventListener("beforeprint", reset);
    return () => window.removeEventListener("beforeprint", reset);
  }, [resetWhatIf]);
}

function PrintedHead({ cat }: { readonly cat: Patient | null }) {
  const settings = useProgram((state) => state.settings);
  const words = usePatientWords();
  return (
    <div className="print-only printed-head">
      <strong>{settings?.clinicName}</strong>
      <p>{settings?.clinicAddress}</p>
      {cat && <p>{[cat.name, words(cat), cat.owner].filter(Boolean).join(" · ")}</p>}
    </div>
  );
}

function PrintedSignature() {
  const text = useText();
  return (
    <div className="print-only signature">
      <span>{text("handout.date")}</span>
      <span>{text("handout.signature")}</span>
    </div>
  );
}
