import type { DicomInstance } from "../../core/contract/desktop/dicom-instance.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { useSpacingText } from "../film/use-spacing-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";
import type { Message } from "../ui/message.ts";
import { commonMessages } from "../ui/messages/common.ts";
import { filmMessages } from "../ui/messages/films.ts";
import { studyMessages } from "../ui/messages/studies.ts";

/** What a DICOM file says about itself, in its own words. */
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
      title={text(studyMessages.aboutFile)}
      description={film.fileName}
      isWide
      foot={<Button onClick={onClose}>{text(commonMessages.close)}</Button>}
    >
      <div className="file-facts">
        {groups.map(([title, rows]) => (
          <section key={title.en} className="stack">
            <h3>{text(title)}</h3>
            <dl className="facts">
              {rows.map(([name, value]) => (
                <div key={name.en} className="fact">
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

type Rows = readonly (readonly [name: Message, value: string | null])[];

function useFacts(dicom: DicomInstance): readonly (readonly [title: Message, rows: Rows])[] {
  const text = useText();
  const format = useFormat();
  const spacingText = useSpacingText();
  const { patient, spacing, device, institution } = dicom;
  const sex = [
    patient.sex && text(studyMessages[`sex_${patient.sex}`]),
    patient.isNeutered !== null && text(patient.isNeutered ? studyMessages.neutered : studyMessages.entire),
  ]
    .filter(Boolean)
    .join(", ");
  return [
    [
      filmMessages.patient,
      [
        [filmMessages.name, patient.name],
        [filmMessages.owner, patient.responsiblePerson],
        [filmMessages.species, patient.speciesText],
        [filmMessages.breed, patient.breed],
        [studyMessages.sex, sex || null],
        [studyMessages.age, patient.age === null ? null : ageInWords(patient.age, text)],
        [studyMessages.birthDate, patient.birthDate === null ? null : format.day(`${patient.birthDate}T12:00:00`)],
        [
          studyMessages.patientId,
          [patient.id, patient.issuer && `(${patient.issuer})`].filter(Boolean).join(" ") || null,
        ],
        [filmMessages.uuid, patient.uuid],
      ],
    ],
    [
      studyMessages.picture,
      [
        [studyMessages.study, dicom.studyDescription],
        [studyMessages.seriesLabel, dicom.seriesDescription],
        [studyMessages.view, dicom.viewPosition],
        [studyMessages.laterality, dicom.laterality],
        [studyMessages.bodyPart, dicom.bodyPart],
        [filmMessages.takenAt, dicom.takenAt === null ? null : format.minute(dicom.takenAt)],
        [studyMessages.device, device],
        [studyMessages.institution, institution],
        [
          studyMessages.size,
          dicom.widthPx === null || dicom.heightPx === null ? null : `${dicom.widthPx} × ${dicom.heightPx} px`,
        ],
        [studyMessages.frames, String(dicom.frames)],
        [
          studyMessages.spacing,
          spacing && `${spacingText(spacing)}, ${text(studyMessages[`spacing_${spacing.kind}`])}`,
        ],
        [studyMessages.instanceUid, dicom.sopInstanceUid],
      ],
    ],
  ];
}

/** `003Y` as "3 years"; what is no DICOM age is shown as it stands. */
function ageInWords(age: string, text: ReturnType<typeof useText>): string {
  const [, count, unit] = /^(\d{1,3})([DWMY])$/.exec(age) ?? [];
  return unit ? text(studyMessages[`age_${unit as "D" | "W" | "M" | "Y"}`], { count: Number(count) }) : age;
}
