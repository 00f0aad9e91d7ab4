import type { Patient } from "../../core/contract/desktop/patients.ts";
import { usePatientWords } from "../patients/patient-words.ts";
import { useProgram } from "../state/program.ts";
import { useText } from "../ui/language/language.ts";

export function PrintedHead({ cat }: { readonly cat: Patient | null }) {
  const settings = useProgram((state) => state.settings);
  const words = usePatientWords();
  return (
    <div className="print-only printed-head">
      <strong>{settings?.clinicName}</strong>
      <p>{settings?.clinicAddress}</p>
      {cat && <p>{[cat.name, words(cat), cat.owner].filter(Boolean).join(" · ")}</p>}
    </div>
  );
}

export function PrintedSignature() {
  const text = useText();
  return (
    <div className="print-only signature">
      <span>{text("handout.date")}</span>
      <span>{text("handout.signature")}</span>
    </div>
  );
}
