import "./patients.css";
import { useEffect, useRef, useState } from "react";
import { canBeOne } from "../../core/species.ts";
import { attempt } from "../state/faults.ts";
import { usePatients } from "../state/patients.ts";
import { TextField } from "../ui/fields/field.tsx";
import { leadsIntoHits } from "../ui/keys/shortcut-keys.ts";
import { useText } from "../ui/language/language.ts";
import { usePatientWords } from "./patient-words.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";

/** Patients to choose from: the ones seen last, or those that a search finds. */
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
  /** Of which those are shown that can be of it; null for all. */
  readonly species?: Patient["species"];
  /** A patient that is not to be chosen. */
  readonly withoutId?: string;
  /** What to say where there is nobody to choose. */
  readonly nothing?: string;
  /** The first patient has the keyboard as soon as it is there. */
  readonly startsInList?: boolean;
  /** Goes on with the search as it stands; otherwise it begins with the ones seen last. */
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
    // What is listed behind a dialog that asked for one species is of every species again once that closes.
    return species === null ? undefined : () => attempt(() => load(undefined, null));
  }, [load, keepsSearch, species]);
  const wordsOf = usePatientWords();
  const list = useRef<HTMLUListElement>(null);
  const isThere = patients.length > 0;
  useEffect(() => {
    // Whoever was first in the list before may be another one. After the effects of the dialog around it: what has the
    // keyboard before it keeps it in, it does not bring back.
    if (startsInList && isListed) queueMicrotask(() => list.current?.querySelector("button")?.focus());
  }, [startsInList, isListed]);
  const walkIntoHits = async () => {
    // What was typed last may not have been found yet.
    await load(undefined, species);
    list.current?.querySelector("button")?.focus();
  };
  // Until the list for this species is there, the one before it may stand.
  const shown = patients.filter((patient) => canBeOne(patient.species, species) && patient.id !== withoutId);
  const isNarrowed = search !== "" || species !== null;
  const nobody = nothing ?? (isListed && isNarrowed ? text("films.nobodyFound") : null);
  return (
    <div className="stack">
      <TextField
        label={text("films.searchPatients")}
        type="search"
        value={search}
        onChange={(event) => attempt(() => load(event.target.value, species))}
        onKeyDown={(event) => leadsIntoHits(event) && attempt(walkIntoHits)}
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
