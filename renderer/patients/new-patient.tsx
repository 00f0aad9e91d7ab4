import { useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { usePermission } from "../state/people.ts";
import { Button } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";
import { EditPatient } from "./edit-patient.tsx";

export function NewPatient({
  species,
  onCreated,
}: {
  readonly species?: Patient["species"];
  readonly onCreated: (patient: Patient) => void;
}) {
  const text = useText();
  const mayPrepare = usePermission("prepare");
  const [isOpen, setOpen] = useState(false);
  if (!mayPrepare) return null;
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        {text("films.newPatient")}
      </Button>
      {isOpen && (
        <EditPatient patient={null} {...(species && { species })} onSaved={onCreated} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
