import { useEffect, useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { attempt } from "../state/faults.ts";
import { useMay } from "../state/people.ts";
import { usePatients } from "../state/patients.ts";
import { Button } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";
import { EditPatient } from "./edit-patient.tsx";
import { MergePatient } from "./merge-patient.tsx";

export function PatientActs({ patient }: { readonly patient: Patient }) {
  const text = useText();
  const mayPrepare = useMay("prepare");
  const { mergers, unmerge, loadMergers } = usePatients();
  useEffect(() => {
    if (mayPrepare) attempt(loadMergers);
  }, [mayPrepare, loadMergers]);
  const [asked, setAsked] = useState<"edit" | "merge" | null>(null);
  const close = () => setAsked(null);
  if (!mayPrepare) return null;
  return (
    <>
      <Button onClick={() => setAsked("edit")}>{text("films.editPatient")}</Button>
      <Button onClick={() => setAsked("merge")}>{text("films.mergePatient")}</Button>
      {mergers
        .filter(({ keptId }) => keptId === patient.id)
        .map(({ undoId, goneName }) => (
          <Button key={undoId} icon="undo" onClick={() => attempt(() => unmerge(undoId))}>
            {text("films.undoMerge", { name: goneName })}
          </Button>
        ))}
      {asked === "edit" && <EditPatient patient={patient} onClose={close} />}
      {asked === "merge" && <MergePatient patient={patient} onClose={close} />}
    </>
  );
}
