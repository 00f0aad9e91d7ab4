import { AppError, because } from "../app-error.ts";
import { speciesOf } from "../species.ts";
import { componentOf, repetitionsOf, segmentOf, valueOf, type Hl7Message } from "./hl7-message.ts";

/** A patient as the practice software tells it. */
export type ToldPatient = {
  /** The practice's number. */
  readonly number: string;
  readonly name: string;
  readonly owner: string;
  readonly species: "dog" | "cat" | "other" | null;
  readonly breed: string;
};
/** What a message asks for: a patient to add or change, or one number that becomes another. */
export type PatientChange =
  | { readonly kind: "save"; readonly patient: ToldPatient }
  | { readonly kind: "merge"; readonly patient: ToldPatient; readonly formerNumber: string };

const savingEvents = new Set(["A01", "A04", "A05", "A08", "A28", "A31"]);

/**
 * What a message says about a patient: of ADT admission, registration, change (A01, A04, A08 and the like) and merging
 * (A40), of orders (ORM, OML) the patient that they are for.
 *
 * @returns null for every other message
 * @throws AppError INVALID_FIELD when a message that is meant for us names no patient
 */
export function patientChangeOf(message: Hl7Message): PatientChange | null {
  const [type, event] = [valueOf(message, "MSH", 9, 1), valueOf(message, "MSH", 9, 2) || valueOf(message, "EVN", 1)];
  const isOrder = type === "ORM" || type === "OML";
  const isMerge = type === "ADT" && event === "A40";
  if (!isOrder && !isMerge && !(type === "ADT" && savingEvents.has(event))) return null;
  const patient = toldPatient(message);
  if (!isMerge) return { kind: "save", patient };
  const formerNumber = valueOf(message, "MRG", 1);
  if (formerNumber === "") throw new AppError("INVALID_FIELD", because("hl7WithoutField", { field: "MRG-1" }));
  return { kind: "merge", patient, formerNumber };
}

function toldPatient(message: Hl7Message): ToldPatient {
  const number = numberOf(message);
  if (number === "") throw new AppError("INVALID_FIELD", because("hl7WithoutField", { field: "PID-3" }));
  const [family, given] = [valueOf(message, "PID", 5, 1), valueOf(message, "PID", 5, 2)];
  const owner = personOf(message, "NK1", 2) || personOf(message, "GT1", 3);
  if (family === "" && given === "")
    throw new AppError("INVALID_FIELD", because("hl7WithoutField", { field: "PID-5" }));
  const species = valueOf(message, "PID", 35, 2) || valueOf(message, "PID", 35, 1);
  return {
    number,
    name: (given || family).slice(0, 120),
    // Without a person of its own, the family's name is the owner's, where the animal has a name of its own.
    owner: (owner || (given === "" ? "" : family)).slice(0, 200),
    species: speciesOf(species || null, valueOf(message, "PID", 35, 1) || null),
    breed: (valueOf(message, "PID", 36, 2) || valueOf(message, "PID", 36, 1)).slice(0, 120),
  };
}

/** The number that the practice gives (PI), else the first. */
function numberOf(message: Hl7Message): string {
  const ids = repetitionsOf(message, segmentOf(message, "PID"), 3);
  const chosen = ids.find((id) => componentOf(message, id, 5) === "PI") ?? ids[0] ?? "";
  return componentOf(message, chosen, 1) || valueOf(message, "PID", 2);
}

function personOf(message: Hl7Message, segment: string, field: number): string {
  const name = repetitionsOf(message, segmentOf(message, segment), field)[0] ?? "";
  return [componentOf(message, name, 2), componentOf(message, name, 1)].filter((part) => part !== "").join(" ");
}
