import type { Patient } from "../../../core/contract/desktop/patients.ts";
import { PatientList } from "../../patients/patient-list.tsx";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useText } from "../../ui/language/language.ts";
import { inParts } from "./in-parts.ts";

/** Whose films several are: the patient seen last has the keyboard, so that one press assigns them. */
export function AssignDialog({
  filmIds,
  onClose,
}: {
  readonly filmIds: readonly string[];
  readonly onClose: () => void;
}) {
  const text = useText();
  const assign = (patient: Patient | null) =>
    attempt(async () => {
      for (const part of inParts(filmIds))
        await call("films.assignPatient", { filmIds: part, patientId: patient?.id ?? null });
      onClose();
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text("films.patientOfFilms", { count: filmIds.length })}
      foot={<Button onClick={() => assign(null)}>{text("films.noPatient")}</Button>}
    >
      <PatientList chosenId={null} startsInList onChoose={assign} />
    </Dialog>
  );
}
