import "./patients.css";
import { useEffect, useRef } from "react";
import { attempt } from "../state/faults.ts";
import { usePatients } from "../state/patients.ts";
import { TextField } from "../ui/field.tsx";
import { useText } from "../ui/language/language.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";

/** Patients to choose from: the ones seen last, or those that a search finds. */
export function PatientList({
  chosenId,
  onChoose,
  species,
  startsInList = false,
}: {
  readonly chosenId: string | null;
  readonly onChoose: (patient: Patient) => void;
  readonly species?: Patient["species"];
  /** The first patient has the keyboard as soon as it is there. */
  readonly startsInList?: boolean;
}) {
  const text = useText();
  const { patients, search, load } = usePatients();
  useEffect(() => attempt(() => load("")), [load]);
  const list = useRef<HTMLUListElement>(null);
  const isThere = patients.length > 0;
  useEffect(() => {
    if (startsInList && isThere) list.current?.querySelector("button")?.focus();
  }, [startsInList, isThere]);
  const shown = species ? patients.filter((patient) => patient.species === species) : patients;
  return (
    <div className="stack">
      <TextField
        label={text("films.searchPatients")}
        type="search"
        value={search}
        onChange={(event) => attempt(() => load(event.target.value))}
      />
      <div className="stack patient-found">
        <h2 className="field-label">{text(search ? "films.foundPatients" : "films.recentPatients")}</h2>
        <ul ref={list} className="patient-list">
          {shown.map((patient) => (
            <li key={patient.id}>
              <button
                type="button"
                className="patient-row"
                aria-pressed={patient.id === chosenId}
                onClick={() => onChoose(patient)}
              >
                <span>{patient.name}</span>
                <span className="quiet fine">
                  {[patient.breed || text(`films.species_${patient.species}`), patient.owner]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
