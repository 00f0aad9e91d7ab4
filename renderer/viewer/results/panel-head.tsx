import type { ReactNode } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { AlsoOpen } from "../../film/notices/also-open.tsx";
import { useAnimalInFileWords, usePatientWords } from "../../patients/patient-words.ts";
import { Button, Hint } from "../../ui/button.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { CommandTool } from "../../ui/keys/command-tool.tsx";
import { runCommand, useKeys } from "../../ui/keys/shortcuts.ts";
import { useText } from "../../ui/language/language.ts";
import { useDecisionPlace } from "../decision/decision-run.ts";

export function PanelHead({ film, actions }: { readonly film: Film; readonly actions: ReactNode }) {
  const text = useText();
  const patientKeys = useKeys("films.patient");
  const name = film.patient?.name || film.fileName;
  return (
    <header className="panel-head">
      <div>
        <h2 title={name}>{name}</h2>
        <CommandTool command="films.previous" icon="filmAbove" />
        <CommandTool command="films.next" icon="filmBelow" />
        {film.patient && <CommandTool command="films.patient" icon="patient" />}
        {film.vhsChange && <CommandTool command="compare.before" icon="compare" />}
        {actions}
      </div>
      <FilmFacts film={film} />
      {!film.patient && (
        <Hint text={text("films.assignPatient")} keys={patientKeys}>
          <Button tone="plain" className="no-patient" onClick={() => runCommand("films.patient")}>
            {text("common.opensDialog", { label: text("films.noPatient") })}
          </Button>
        </Hint>
      )}
      <AlsoOpen filmId={film.id} />
      <DecisionPlace filmId={film.id} />
    </header>
  );
}

function FilmFacts({ film }: { readonly film: Film }) {
  const format = useFormat();
  const wordsOf = usePatientWords();
  const wordsInFile = useAnimalInFileWords();
  const facts = film.patient
    ? [wordsOf(film.patient, film.takenAt), film.fileName]
    : [film.dicom && wordsInFile(film.dicom.patient, film.takenAt)];
  return (
    <span className="quiet fine" data-testid="film-facts">
      {[format.day(film.takenAt), ...facts].filter(Boolean).join(" · ")}
    </span>
  );
}

function DecisionPlace({ filmId }: { readonly filmId: string }) {
  const text = useText();
  const place = useDecisionPlace(filmId);
  return place && <span className="quiet fine">{text("result.decisionPlace", place)}</span>;
}
