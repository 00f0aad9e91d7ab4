import type { Verdict } from "../../../core/contract/desktop/readings.ts";
import { codes } from "./content/codes.ts";
import { codedItem, imageItem, rootContainer, textItem } from "./content/content-items.ts";
import { localDateTime, numbers, sequence, text, uid, words, type DataSet } from "./data-set.ts";
import { deviceObserver } from "./measurement-group.ts";
import { evidence } from "./measurement-report.ts";
import { equipmentModule, patientModule, referencedRequests, studyModule } from "./modules.ts";
import { countingReading, type ReferencedFilm, type ResultSubject } from "./result-subject.ts";
import { resultFile, type ResultFile } from "./result-file.ts";
import { sopClasses, uidOf } from "./uids.ts";

const descriptions: Partial<Record<Verdict, string>> = {
  accepted: "Film with an accepted heart measurement",
  corrected: "Film with a corrected heart measurement",
  by_hand: "Film with a heart measurement by hand",
};

/**
 * Writes a Key Object Selection (template 2010) that marks the film as of interest, so that an archive shows it first.
 *
 * @returns  null for a film whose reading has not been decided, or was rejected
 * @see DICOM PS3.3 A.35.4
 */
export function keyObjectSelection(subject: ResultSubject, film: ReferencedFilm): ResultFile | null {
  const reading = countingReading(subject);
  const description = reading.verdict && descriptions[reading.verdict];
  if (!description) return null;
  const requests = referencedRequests(subject);
  const { date, time } = localDateTime(new Date(reading.at), subject.source);
  const dataSet: DataSet = {
    ...patientModule(subject),
    ...studyModule(subject),
    ...equipmentModule(subject),
    ...rootContainer(codes.ofInterest, [
      codedItem("HAS CONCEPT MOD", codes.language, codes.english),
      ...deviceObserver(subject.programVersion),
      textItem("CONTAINS", codes.keyObjectDescription, description),
      imageItem("CONTAINS", film),
    ]),
    "0040A504": sequence({ "00080105": words("DCMR"), "0040DB00": words("2010") }),
    "00080016": uid(sopClasses.keyObjects),
    "00080060": words("KO"),
    "0008103E": text("LO", "Key films"),
    "0020000E": uid(uidOf("series", "keyObjects", film.sopInstanceUid)),
    "00200011": numbers("IS", 9904),
    "00200013": numbers("IS", reading.version),
    "00080023": date,
    "00080033": time,
    "00081111": sequence(),
    ...(requests.length > 0 && { "0040A370": sequence(...requests) }),
    "0040A375": sequence(evidence(subject, film)),
  };
  return resultFile("keyObjects", dataSet);
}
