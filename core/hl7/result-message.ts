import { changeText } from "../cardiac/agreement/change-text.ts";
import { hasScore } from "../cardiac/agreement/reported-readings.ts";
import { measures } from "../cardiac/measures/measures.ts";
import { roundScore } from "../cardiac/heart-score.ts";
import type { Reading } from "../contract/desktop/readings.ts";
import type { Patient } from "../contract/desktop/patients.ts";
import { changeToReading, type TrendValues } from "../contract/desktop/trends/trend-series.ts";
import { sayIn } from "../language/say.ts";
import { localDay } from "../local-day.ts";
import { hl7Text, hl7Time, type Hl7Field } from "./hl7-text.ts";

type ResultOfFilm = {
  readonly patient: Pick<Patient, "id" | "name" | "species" | "breed" | "owner"> | null;
  readonly patientNumber: string | null;
  readonly accessionNumber: string | null;
  readonly filmId: string;
  readonly fileName: string;
  readonly takenAt: Date;
  readonly reading: Reading;
  /** Oldest first; empty without a patient. */
  readonly trend: TrendValues;
  readonly clinicName: string;
  readonly programVersion: string;
  readonly isClinicallyValidated: boolean;
  readonly writtenAt: Date;
  /** MSH-10, at most 20 characters. Receivers ignore a message whose control id they have received before. */
  readonly controlId: string;
  readonly receiver?: { readonly application: string; readonly facility: string };
};

/** SNOMED CT. */
const speciesCodes = {
  dog: ["448771007", "Canis lupus familiaris", "SCT"],
  cat: ["448169003", "Felis catus", "SCT"],
} as const;

/**
 * Builds an unsolicited result in UTF-8. A signed reading is final, a proposal of the networks preliminary; a rejected
 * film has no values.
 *
 * @see HL7 v2.5.1 7.3.1 (ORU^R01)
 */
export function resultMessage(result: ResultOfFilm): string {
  const { reading, clinicName, writtenAt, controlId, takenAt, filmId, fileName, accessionNumber } = result;
  const status = reading.verdict === null ? "P" : "F";
  const type = ["ORU", "R01", "ORU_R01"];
  const receiver = [result.receiver?.application ?? null, result.receiver?.facility ?? null];
  const version = ["P", "2.5.1", ...nothing(5), "UNICODE UTF-8"];
  const fileNumber = filmId.replaceAll("-", "").slice(0, 20);
  const service = ["VHS", "Vertebral heart score", "99CORVET"];
  // prettier-ignore
  return hl7Text([
    ["MSH", "CORVET", clinicName, ...receiver, hl7Time(writtenAt), null, type, controlId, ...version],
    ["PID", 1, null, [numberOf(result), null, null, null, "PI"], null, animalName(result), ...nothing(29), species(result), result.patient?.breed ?? null],
    ["OBR", 1, accessionNumber, fileNumber, service, null, null, hl7Time(takenAt), ...nothing(14), hl7Time(new Date(reading.at)), null, "RAD", status],
    ...observations(result).map((fields, index) => ["OBX", index + 1, ...fields, ...nothing(4), status, null, null, hl7Time(new Date(reading.at))] as const),
    ["NTE", 1, null, notes(result)],
    ["NTE", 2, null, fileName],
  ]);
}

function observations(result: ResultOfFilm): Hl7Field[][] {
  const { reading } = result;
  const { score, verdict, tier } = reading;
  const values = hasScore(reading) ? measures.filter(({ name }) => typeof score?.[name] === "number") : [];
  return [
    ...values.map(({ name, label }): Hl7Field[] => [
      "NM",
      [name, label, "99CORVET"],
      null,
      roundScore(score?.[name] ?? null),
      ["{vertebra}", "vertebrae", "UCUM"],
    ]),
    ["ST", ["verdict", "Decision of a user", "99CORVET"], null, verdict ?? "not yet reviewed", null],
    ...(tier ? [["ST", ["tier", "Confidence tier", "99CORVET"], null, tier, null] satisfies Hl7Field[]] : []),
    ...changes(result),
  ];
}

/** Formats changes as text, so that a receiver of numeric values does not store a change as a score. */
function changes({ reading, takenAt, trend }: ResultOfFilm): Hl7Field[][] {
  const say = sayIn("en");
  const number = (value: number, decimals: number) => value.toFixed(decimals);
  return measures.flatMap(({ name, label }) => {
    const change = changeToReading(reading, takenAt, trend, name);
    if (!change) return [];
    const since = say("change.since", {
      change: changeText(change, { say, number }),
      date: localDay(new Date(change.fromMs)),
    });
    return [["ST", [`${name}_change`, `${label}, change since the previous visit`, "99CORVET"], null, since, null]];
  });
}

function notes({ reading, programVersion, isClinicallyValidated }: ResultOfFilm): string {
  const validated = isClinicallyValidated ? [] : ["Not clinically validated."];
  const said = [`Corvet ${programVersion}.`, ...validated, "A value is a proposal; the veterinarian decides."];
  const signed = reading.who ? [`Signed by ${reading.who}.`] : [];
  return [...said, ...signed, reading.remark].filter((line) => line !== "").join("\n");
}

function numberOf({ patient, patientNumber }: ResultOfFilm): string {
  return patientNumber ?? patient?.id ?? "";
}

/** Uses the owner's name as family name, as veterinary systems do. */
function animalName({ patient }: ResultOfFilm): Hl7Field {
  return [patient?.owner ?? "", patient?.name ?? ""];
}

function species({ patient }: ResultOfFilm): Hl7Field {
  return patient?.species ? [...speciesCodes[patient.species]] : null;
}

function nothing(count: number): null[] {
  return Array.from({ length: count }, () => null);
}
