import { AppError, because } from "../../../../core/app-error.ts";
import type { Order } from "../../../../core/contract/desktop/network/orders.ts";
import type { ToldPatient } from "../../../../core/hl7/patient-message.ts";
import { patientUuid } from "../../../dicom/patient-uuid.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { findDicomPatient, linkDicomPatient } from "../../../store/films/dicom/dicom-patients.ts";
import { mergePatients } from "../../../store/films/merged-patients.ts";
import { findPatientByUuid } from "../../../store/films/patients.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { inTurn } from "../../measuring/in-turn.ts";
import { isSameName } from "../import-dicom.ts";
import { learnSpecies } from "../patients/learn-species.ts";
import { addPatient, editPatient, publishPatient } from "../patients/patients.ts";
import { patientMadeByFilm } from "./named-patient.ts";

/** What an order says beyond a name and a number; what is left out or null stays as it is. */
type ToldFacts = Partial<Pick<Order["patient"], "sex" | "isNeutered" | "birthDate">>;

/**
 * Adds or changes the patient that practice software names by its number. What it does not say stays as it is.
 *
 * @param issuer  who gives the numbers, where that is said: films are matched by both
 * @returns the patient's id
 */
export function saveToldPatient(
  context: DesktopContext,
  told: ToldPatient,
  { issuer = null, facts = {} }: { readonly issuer?: string | null; readonly facts?: ToldFacts } = {},
): Promise<string> {
  // A file and an order may tell of the same new patient at once: the second one finds it.
  return inTurn("told patients", () => save(context, told, { issuer, facts }));
}

async function save(
  context: DesktopContext,
  told: ToldPatient,
  { issuer, facts }: { readonly issuer: string | null; readonly facts: ToldFacts },
): Promise<string> {
  const { number, name, owner, species, breed } = told;
  const known = await findPatientByUuid(context.db, number);
  const ofFilm = known ?? (await patientMadeByFilm(context.db, { number, name, species }));
  const said = {
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
    name,
    owner: owner || undefined,
    species: species === "cat" || species === "dog" ? species : undefined,
    breed: breed || undefined,
  };
  if (known) {
    // A number that was merged into another one names the same patient and does not become the present one.
    await editPatient(context, known.id, { ...said, uuid: known.uuid === null ? number : undefined });
    return known.id;
  }
  const { owner: formerOwner = "", species: formerSpecies = null, breed: formerBreed = "" } = ofFilm ?? {};
  const uuid = patientUuid(issuer, number);
  // Halfway there would be two patients, and the next message would find only the new one.
  const patientId = await transaction(context.db, async () => {
    const { id } = await addPatient(context, {
      ...said,
      owner: owner || formerOwner,
      species: said.species ?? formerSpecies,
      breed: breed || formerBreed,
      uuid: number,
    });
    // The film came first: what was found under its own number is found on.
    if (ofFilm !== null) await mergePatients(context.db, id, ofFilm.id);
    // A film whose file has this number as Patient ID is this patient's.
    if ((await findDicomPatient(context.db, uuid)) === null)
      await linkDicomPatient(context.db, uuid, { patientId: id, name, number });
    return id;
  });
  await publishPatient(context, patientId);
  return patientId;
}

/**
 * The patient of an order: the one whose films have its number already, else the one whom the practice calls by it.
 *
 * @throws AppError INVALID_FIELD for an animal that is neither dog nor cat, or without a name; CONFLICT where films
 * with the same number are those of an animal of another name
 */
export async function patientOfOrder(context: DesktopContext, { patient }: Order): Promise<string> {
  const { number, issuer, name, owner, species, breed, sex, isNeutered, birthDate } = patient;
  if (species === "other") throw new AppError("INVALID_FIELD", because("orderOtherAnimal"));
  if (name === "") throw new AppError("INVALID_FIELD", because("orderWithoutName"));
  const link = await findDicomPatient(context.db, patientUuid(issuer, number));
  if (link !== null && !isSameName(link.name, name))
    throw new AppError("CONFLICT", because("orderOtherName", { number, name: link.name }));
  if (link !== null) {
    await learnSpecies(context, { patientId: link.patientId, species });
    return link.patientId;
  }
  return saveToldPatient(
    context,
    { number, name: name.slice(0, 120), owner, species, breed: breed.slice(0, 120) },
    { issuer, facts: { sex, isNeutered, birthDate } },
  );
}
