import { AppError, because } from "../app-error.ts";
import { speciesOf } from "../species.ts";
import {
  componentOf,
  firstRepetition,
  repetitionsOf,
  segmentOf,
  subcomponentsOf,
  valueOf,
  type Hl7Message,
} from "./hl7-message.ts";

export type ReportedPatient = {
  readonly number: string;
  readonly name: string;
  readonly owner: string;
  readonly species: "dog" | "cat" | "other" | null;
  readonly breed: string;
};
export type PatientChange =
  | { readonly kind: "save"; readonly patient: ReportedPatient }
  | { readonly kind: "merge"; readonly patient: ReportedPatient; readonly formerNumber: string };

const savingEvents = new Set(["A01", "A04", "A05", "A08", "A28", "A31"]);
/** Events that replace one patient number by another. @see HL7 v2.5.1 3.3, and v2.3 for A18 and A34 */
const mergingEvents = new Set(["A18", "A30", "A34", "A36", "A39", "A40", "A46", "A47"]);
const eventsOfVisits = new Set(["A35", "A41", "A42", "A44", "A45", "A49", "A50", "A51"]);
const linkingEvents = new Set(["A24", "A37"]);

/**
 * Splits a message: a merge may contain several groups of PID and MRG under one header, and some senders put several
 * patients into other messages. A generator, so that a long message needs little memory.
 *
 * @see HL7 v2.5.1 3.3.40, structure ADT_A39
 */
export function* messagesOfOnePatient(message: Hl7Message): Generator<Hl7Message, void> {
  const { segments } = message;
  const starts = segments.flatMap(({ name }, index) => (name === "PID" ? [index] : []));
  if (starts.length === 0 || (starts.length === 1 && !isMerging(message))) return yield message;
  const header = segments.slice(0, starts[0]).filter(({ name }) => name === "MSH" || name === "EVN");
  for (const [index, start] of starts.entries()) {
    const group = segments.slice(start, starts[index + 1]);
    const former = group.filter(({ name }) => name === "MRG");
    const others = [...header, ...group.filter(({ name }) => name !== "MRG")];
    if (former.length === 0) yield { ...message, segments: others };
    for (const merged of former) yield { ...message, segments: [...others, merged] };
  }
}

/**
 * Extracts the patient of an ADT admission, registration, update or merge, and of orders (ORM, OML).
 *
 * @returns null for other messages
 * @throws AppError INVALID_FIELD without a patient, or for an unsupported change of identity
 */
export function patientChangeOf(message: Hl7Message): PatientChange | null {
  const [type, event] = eventOf(message);
  const isOrder = type === "ORM" || type === "OML";
  const isMerge = isMerging(message);
  if (type === "ADT" && isUnsupported(message, event))
    throw new AppError("INVALID_FIELD", because("hl7UnsupportedEvent", { event }));
  if (!isOrder && !isMerge && !(type === "ADT" && savingEvents.has(event))) return null;
  const patient = parsePatient(message);
  if (!isMerge) return { kind: "save", patient };
  const formerNumber = numberIn(message, "MRG", 1);
  if (formerNumber === "") throw new AppError("INVALID_FIELD", because("hl7WithoutField", { field: "MRG-1" }));
  return { kind: "merge", patient, formerNumber };
}

function eventOf(message: Hl7Message): readonly [type: string, event: string] {
  return [valueOf(message, "MSH", 9, 1), valueOf(message, "MSH", 9, 2) || valueOf(message, "EVN", 1)];
}

function isMerging(message: Hl7Message): boolean {
  const [type, event] = eventOf(message);
  return type === "ADT" && mergingEvents.has(event);
}

function isUnsupported(message: Hl7Message, event: string): boolean {
  if (mergingEvents.has(event) || eventsOfVisits.has(event)) return false;
  return linkingEvents.has(event) || segmentOf(message, "MRG") !== null;
}

function parsePatient(message: Hl7Message): ReportedPatient {
  const number = numberIn(message, "PID", 3) || valueOf(message, "PID", 2);
  if (number === "") throw new AppError("INVALID_FIELD", because("hl7WithoutField", { field: "PID-3" }));
  const fullName = firstRepetition(message, segmentOf(message, "PID"), 5);
  const [family, given] = [familyNameIn(message, fullName), componentOf(message, fullName, 2)];
  const owner = personOf(message, "NK1", 2) || personOf(message, "GT1", 3);
  if (family === "" && given === "")
    throw new AppError("INVALID_FIELD", because("hl7WithoutField", { field: "PID-5" }));
  const species = valueOf(message, "PID", 35, 2) || valueOf(message, "PID", 35, 1);
  return {
    number,
    name: (given || family).slice(0, 120),
    // Without an owner segment the family name is the owner's, provided that the animal has a given name.
    owner: (owner || (given === "" ? "" : family)).slice(0, 200),
    species: speciesOf(species || null, valueOf(message, "PID", 35, 1) || null),
    breed: (valueOf(message, "PID", 36, 2) || valueOf(message, "PID", 36, 1)).slice(0, 120),
  };
}

/** Identifier assigned by the practice (PI), otherwise the first one of the field. */
function numberIn(message: Hl7Message, segment: string, field: number): string {
  const ids = repetitionsOf(message, segmentOf(message, segment), field).filter(
    (id) => componentOf(message, id, 1) !== "",
  );
  return componentOf(message, ids.find((id) => componentOf(message, id, 5) === "PI") ?? ids[0] ?? "", 1);
}

/** "&" separates surname and prefixes of a family name; between spaces it is part of the name. */
function familyNameIn(message: Hl7Message, name: string): string {
  const whole = componentOf(message, name, 1);
  const [surname = ""] = subcomponentsOf(message, name, 1);
  return /\s&\s/.test(whole) ? whole : surname;
}

function personOf(message: Hl7Message, segment: string, field: number): string {
  const name = firstRepetition(message, segmentOf(message, segment), field);
  return [componentOf(message, name, 2), familyNameIn(message, name)].filter((part) => part !== "").join(" ");
}
