import { useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { usePatients } from "../state/patients.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { NewPatient } from "./new-patient.tsx";
import { PatientList } from "./patient-list.tsx";

type Props = {
  readonly patient: Patient | null;
  readonly label: string;
  readonly chooseLabel: string;
  readonly species?: Patient["species"];
  readonly isFixed?: boolean;
};

export function ChosenPatient({ patient, label, chooseLabel, species, isFixed = false }: Props) {
  const text = useText();
  const choose = usePatients((state) => state.choose);
  const [isChoosing, setChoosing] = useState(false);
  const change = (chosen: Patient | null) => {
    choose(chosen);
    setChoosing(false);
  };
  return (
    <>
      <span className="quiet">
        {text("common.labelled", { label })} <strong>{patient?.name ?? text("films.noPatient")}</strong>
      </span>
      <Button className="no-print" disabled={isFixed} onClick={() => setChoosing(true)}>
        {chooseLabel}
      </Button>
      <Dialog
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        title={chooseLabel}
        foot={
          <>
            <NewPatient {...(species && { species })} onCreated={change} />
            <Button onClick={() => change(null)}>{text("films.noPatient")}</Button>
          </>
        }
      >
        <PatientList chosenId={patient?.id ?? null} {...(species && { species })} onChoose={change} />
      </Dialog>
    </>
  );
}
