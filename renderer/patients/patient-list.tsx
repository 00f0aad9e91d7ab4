import "./patients.css";
import { useEffect, useRef, useState } from "react";
import { areSpeciesCompatible } from "../../core/species.ts";
import { attempt } from "../state/faults.ts";
import { usePatients } from "../state/patients.ts";
import { TextField } from "../ui/fields/field.tsx";
import { movesToResults } from "../ui/keys/shortcut-keys.ts";
import { useText } from "../ui/language/language.ts";
import { usePatientWords } from "./patient-words.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";

export function PatientList({
  chosenId,
  onChoose,
  species = null,
  startsInList = false,
  keepsSearch = false,
  withoutId,
  nothing,
}: {
  readonly chosenId: string | null;
  readonly onChoose: (patient: Patient) => void;
  /** Lists only patients who can be of this species; null for all. */
  readonly species?: Patient["species"];
  readonly withoutId?: string;
  readonly nothing?: string;
  readonly startsInList?: boolean;
  /** Keeps the current search; otherwise the list starts with recent patients. */
  readonly keepsSearch?: boolean;
}) {
  const text = useText();
  const { patients, search, load } = usePatients();
  const [isListed, setListed] = useState(false);
  useEffect(() => {
    attempt(async () => {
      await load(keepsSearch ? undefined : "", species);
      setListed(true);
    });
    // After a dialog for one species, the list behind it shows every species again.
    return species === null ? undefined : () => attempt(() => load(undefined, null));
  }, [load, keepsSearch, species]);
  const wordsOf = usePatientWords();
  const list = useRef<HTMLUListElement>(null);
  const isThere = patients.length > 0;
  useEffect(() => {
    // The first row may have changed. Runs after the effects of the surrounding dialog, which leaves the focus where it
    // is once it is inside.
    if (startsInList && isListed) queueMicrotask(() => list.current?.querySelector("button")?.focus());
  }, [startsInList, isListed]);
  const walkIntoHits = async () => {
    // The latest input may not have been searched for yet.
    await load(undefined, species);
    list.current?.querySelector("button")?.focus();
  };
  // Until the list for this species is loaded, the earlier list may be shown.
  const shown = patients.filter(
    (patient) => areSpeciesCompatible(patient.species, species) && patient.id !== withoutId,
  );
  const isNarrowed = search !== "" || species !== null;
  const nobody = nothing ?? (isListed && isNarrowed ? text("films.nobodyFound") : null);
  return (
    <div className="stack">
      <TextField
        label={text("films.searchPatients")}
        type="search"
        value={search}
        onChange={(event) => attempt(() => load(event.target.value, species))}
        onKeyDown={(event) => movesToResults(event) && attempt(walkIntoHits)}
      />
      <div className="stack patient-found">
        {(isThere || search !== "") && (
          <h2 className="field-label">{text(search ? "films.foundPatients" : "films.recentPatients")}</h2>
        )}
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
                  {wordsOf(patient)}
                  {patient.owner && (
                    <>
                      {" · "}
                      <span className="patient-owner">{patient.owner}</span>
                    </>
                  )}
                </span>
              </button>
            </li>
          ))}
          {shown.length === 0 && nobody && <li className="patient-nobody quiet">{nobody}</li>}
        </ul>
      </div>
    </div>
  );
}
