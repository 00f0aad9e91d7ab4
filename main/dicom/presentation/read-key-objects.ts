import type { KeyFilms } from "../../../core/contract/desktop/network/key-films.ts";
import type { DicomFile } from "../dicom-file.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";
import { dicomMoment } from "../elements/dicom-time.ts";
import { personName } from "../elements/person-name.ts";
import { isOwn } from "../results/read-own-objects.ts";
import { sopClasses } from "../results/uids.ts";

export type KeyObjects = Omit<KeyFilms, "films"> & {
  readonly films: readonly Omit<KeyFilms["films"][number], "filmId">[];
  readonly isOwn: boolean;
};

const maxFilms = 500;
const isUid = (value: string | null): value is string => value !== null && /^[0-9.]{1,64}$/.test(value);

/** Reads a key object selection; null for any other object and without films. @see DICOM PS3.3 A.35.4 */
export function readKeyObjects(file: DicomFile): KeyObjects | null {
  const sopInstanceUid = file.text("00080018");
  if (file.text("00080016") !== sopClasses.keyObjects || !isUid(sopInstanceUid)) return null;
  const films = filmsOf(file).slice(0, maxFilms);
  if (films.length === 0) return null;
  const { given, family } = personName(file.text("00100010") ?? "");
  return {
    sopInstanceUid,
    title: file.items("0040A043")[0]?.text("00080104")?.slice(0, 200) ?? null,
    description: descriptionOf(file),
    at: dicomMoment(file.text("00080023"), file.text("00080033"), file.text("00080201"))?.toISOString() ?? null,
    patientName: (given || family).slice(0, 200) || null,
    patientId: file.text("00100020")?.slice(0, 200) ?? null,
    films,
    isOwn: isOwn(file),
  };
}

/** Films selected by the content, with study and series from the evidence; all of the evidence if none is selected. */
function filmsOf(file: DicomElements): KeyObjects["films"][number][] {
  const evidence = file.items("0040A375").flatMap((study) =>
    study.items("00081115").flatMap((series) =>
      series.items("00081199").flatMap((image) => {
        const [studyInstanceUid, seriesInstanceUid] = [study.text("0020000D"), series.text("0020000E")];
        const sopInstanceUid = image.text("00081155");
        const isWhole = isUid(studyInstanceUid) && isUid(seriesInstanceUid) && isUid(sopInstanceUid);
        return isWhole ? [{ studyInstanceUid, seriesInstanceUid, sopInstanceUid }] : [];
      }),
    ),
  );
  const chosen = new Set(
    file
      .items("0040A730")
      .filter((item) => item.text("0040A040") === "IMAGE")
      .flatMap((item) => item.items("00081199").flatMap((image) => image.text("00081155") ?? [])),
  );
  return chosen.size === 0 ? evidence : evidence.filter(({ sopInstanceUid }) => chosen.has(sopInstanceUid));
}

/** Key Object Description (113012, DCM). */
function descriptionOf(file: DicomElements): string | null {
  const item = file.items("0040A730").find((one) => one.items("0040A043")[0]?.text("00080100") === "113012");
  return item?.text("0040A160")?.slice(0, 500) ?? null;
}
