import { useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { attempt } from "../state/faults.ts";
import { usePermission } from "../state/people.ts";
import { usePatients } from "../state/patients.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";
import { EditPatient } from "./edit-patient.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Stale } from "../ui/empty.tsx";
import { showToast } from "../ui/notes/toasts.ts";
import { PatientList } from "./patient-list.tsx";

export function PatientActs({ patient }: { readonly patient: Patient }) {
  const text = useText();
  const mayPrepare = usePermission("prepare");
  const { unmerge } = usePatients();
  const mergers = useChannel("patients.mergers", {}, { enabled: mayPrepare });
  const [asked, setAsked] = useState<"edit" | "merge" | null>(null);
  const close = () => setAsked(null);
  if (!mayPrepare) return null;
  return (
    <>
      <Button onClick={() => setAsked("edit")}>{text("films.editPatient")}</Button>
      <Button onClick={() => setAsked("merge")}>{text("films.mergePatient")}</Button>
      <Stale fault={mergers.fault ?? mergers.staleFault} onRetry={mergers.reload} />
      {mergers.value?.mergers
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

function MergePatient({ patient, onClose }: { readonly patient: Patient; readonly onClose: () => void }) {
  const text = useText();
  const { merge, unmerge } = usePatients();
  const mergeInto = (gone: Patient) =>
    attempt(async () => {
      // Closed before the response, so that it cannot be submitted twice.
      onClose();
      const { undoId, films } = await merge(patient, gone);
      showToast("note", text("films.merged", { gone: gone.name, kept: patient.name, films }), {
        action: { label: text("viewer.undo"), onChoose: () => attempt(() => unmerge(undoId)) },
      });
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text("films.mergeTitle", { name: patient.name })}
      description={text("films.mergeText", { name: patient.name })}
    >
      <PatientList
        chosenId={null}
        species={patient.species}
        withoutId={patient.id}
        nothing={text("films.mergeNone")}
        onChoose={mergeInto}
      />
    </Dialog>
  );
}
