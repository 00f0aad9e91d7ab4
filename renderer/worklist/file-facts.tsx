import type { PlainKey } from "../../core/language/catalogue.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { FilmNotices } from "../film/notices/film-notices.tsx";
import { useSpacingText } from "../film/spacing/use-spacing-text.ts";
import { ageInWords, sexInWords } from "../patients/patient-words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

export function FileFacts({
  film,
  dicom,
  onClose,
}: {
  readonly film: Film;
  readonly dicom: DicomInstance;
  readonly onClose: () => void;
}) {
  const text = useText();
  const groups = useFacts(dicom);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text("studies.aboutFile")}
      description={film.fileName}
      isWide
      foot={<Button onClick={onClose}>{text("common.close")}</Button>}
    >
      <FilmNotices film={film} />
      <div className="file-facts">
        {groups.map(([title, rows]) => (
          <section key={title} className="stack">
            <h3>{text(title)}</h3>
            <dl className="facts">
              {rows.map(([name, value]) => (
                <div key={name} className="fact">
                  <dt>{text(name)}</dt>
                  <dd className={value === null ? "quiet" : undefined}>{value ?? "—"}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

type Rows = readonly (readonly [name: PlainKey, value: string | null])[];

function useFacts(dicom: DicomInstance): readonly (readonly [title: PlainKey, rows: Rows])[] {
  const text = useText();
  const format = useFormat();
  const spacingText = useSpacingText();
  const { patient, spacing, device, institution } = dicom;
  return [
    [
      "films.patient",
      [
        ["common.name", patient.name],
        ["films.owner", patient.responsiblePerson],
        ["films.species", patient.speciesText],
        ["films.breed", patient.breed],
        ["films.sex", sexInWords(patient, text) || null],
        ["studies.age", patient.age === null ? null : ageInWords(patient.age, text)],
        ["films.birthDate", patient.birthDate === null ? null : format.day(`${patient.birthDate}T12:00:00`)],
        ["studies.patientId", [patient.id, patient.issuer && `(${patient.issuer})`].filter(Boolean).join(" ") || null],
        ["films.uuid", patient.uuid],
      ],
    ],
    [
      "studies.picture",
      [
        ["studies.study", dicom.studyDescription],
        ["studies.seriesLabel", dicom.seriesDescription],
        ["studies.view", dicom.viewPosition],
        ["studies.laterality", dicom.laterality],
        ["studies.bodyPart", dicom.bodyPart],
        ["films.takenAt", dicom.takenAt === null ? null : format.minute(dicom.takenAt)],
        ["studies.device", device],
        ["studies.institution", institution],
        [
          "studies.size",
          dicom.widthPx === null || dicom.heightPx === null ? null : `${dicom.widthPx} × ${dicom.heightPx} px`,
        ],
        ["studies.frames", String(dicom.frames)],
        ["studies.spacing", spacing && `${spacingText(spacing)}, ${text(`studies.spacing_${spacing.kind}`)}`],
        ["studies.instanceUid", dicom.sopInstanceUid],
      ],
    ],
  ];
}
