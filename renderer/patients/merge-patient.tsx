import type { Patient } from "../../core/contract/desktop/patients.ts";
import { attempt } from "../state/faults.ts";
import { usePatients } from "../state/patients.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { useText } from "../ui/language/language.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { PatientList } from "./patient-list.tsx";

export function MergePatient({ patient, onClose }: { readonly patient: Patient; readonly onClose: () => void }) {
  const text = useText();
  const { merge, unmerge } = usePatients();
  const mergeInto = (gone: Patient) =>
    attempt(async () => {
      // Closed before the answer: a second press finds nothing to press.
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
