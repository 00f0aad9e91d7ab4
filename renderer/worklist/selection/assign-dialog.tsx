import { useEffect, useRef, useState } from "react";
import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { PatientList } from "../../patients/patient-list.tsx";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { useText } from "../../ui/language/language.ts";
import { inParts } from "./in-parts.ts";

/** The focus starts on the most recent patient and moves to the confirmation after the choice. */
export function AssignDialog({
  filmIds,
  onClose,
}: {
  readonly filmIds: readonly string[];
  readonly onClose: () => void;
}) {
  const text = useText();
  const confirm = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<Patient | "none" | null>(null);
  useEffect(() => {
    if (chosen !== null) confirm.current?.focus();
  }, [chosen]);
  const assign = () =>
    attempt(async () => {
      const patientId = chosen === "none" ? null : (chosen?.id ?? null);
      for (const part of inParts(filmIds)) await call("films.assignPatient", { filmIds: part, patientId });
      onClose();
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text("films.patientOfFilms", { count: filmIds.length })}
      foot={
        <>
          <Button aria-pressed={chosen === "none"} onClick={() => setChosen("none")}>
            {text("films.noPatient")}
          </Button>
          <Button ref={confirm} tone="primary" disabled={chosen === null} onClick={assign}>
            {text("films.assign")}
          </Button>
        </>
      }
    >
      <PatientList chosenId={chosen === "none" ? null : (chosen?.id ?? null)} startsInList onChoose={setChosen} />
    </Dialog>
  );
}
