import { reasonToLeaveAlone, type ReasonToLeaveAlone } from "../../core/cardiac/left-alone.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { useText } from "../ui/language/language.ts";

const saidFor = {
  view: (dicom: DicomInstance) => dicom.viewPosition,
  body_part: (dicom: DicomInstance) => dicom.bodyPart,
  species: (dicom: DicomInstance) => dicom.patient.speciesText,
  not_a_radiograph: (dicom: DicomInstance) => dicom.modality,
} as const satisfies Record<ReasonToLeaveAlone, (dicom: DicomInstance) => string | null>;

/** Why a film was not measured automatically; null if it was measured, or for a film without such a reason. */
export function useReasonLeftAlone({ dicom, state, reading }: Film): string | null {
  const text = useText();
  const reason =
    dicom && (state === "cancelled" || state === "done") && reading === null
      ? reasonToLeaveAlone({ ...dicom, species: dicom.patient.species })
      : null;
  return dicom && reason && text(`studies.reason_${reason}`, { said: saidFor[reason](dicom) ?? "" });
}
