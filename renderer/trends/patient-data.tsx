import { useState } from "react";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { useAnonymous } from "../state/anonymous.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { usePermission } from "../state/people.ts";
import { Button } from "../ui/button.tsx";
import { useLanguage, useText } from "../ui/language/language.ts";
import { saveUrl } from "../ui/save-file.ts";
import { PatientActs } from "../patients/patient-acts.tsx";
import { ErasePatient } from "./erase-patient.tsx";

export function PatientData({ patient }: { readonly patient: Patient }) {
  const text = useText();
  const mayAdminister = usePermission("administer");
  const [isExporting, setExporting] = useState(false);
  const [isErasing, setErasing] = useState(false);
  const exportAll = () =>
    attempt(async () => {
      setExporting(true);
      try {
        const { language } = useLanguage.getState();
        const { download } = await call("patients.export", { patientId: patient.id, language });
        saveUrl(download.url, download.fileName);
      } finally {
        setExporting(false);
      }
    });
  if (!mayAdminister) return <PatientActs patient={patient} />;
  return (
    <>
      <PatientActs patient={patient} />
      <Button
        icon="download"
        disabled={isExporting}
        onClick={() => useAnonymous.getState().choose({ films: { patientId: patient.id }, withNames: exportAll })}
      >
        {text(isExporting ? "privacy.exporting" : "privacy.exportAll")}
      </Button>
      <Button onClick={() => setErasing(true)}>{text("privacy.erase")}</Button>
      {isErasing && <ErasePatient patient={patient} onClose={() => setErasing(false)} />}
    </>
  );
}
