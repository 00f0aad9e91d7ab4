import { AppError, because } from "../../../../core/app-error.ts";
import type { Order } from "../../../../core/contract/desktop/network/orders.ts";
import type { ReportedPatient } from "../../../../core/hl7/patient-message.ts";
import { patientUuid } from "../../../dicom/patient-uuid.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { findDicomPatient, linkDicomPatient } from "../../../store/films/dicom/dicom-patients.ts";
import { mergePatients } from "../../../store/films/merged-patients.ts";
import { findPatientByUuid } from "../../../store/films/patients.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { runInSequence } from "../../measuring/run-in-sequence.ts";
import { isNameOf } from "../import-dicom.ts";
import { learnSpecies } from "../patients/learn-species.ts";
import { addPatient, editPatient, publishPatient } from "../patients/patients.ts";
import { patientMadeByFilm } from "./named-patient.ts";

/** Null values leave the patient unchanged. */
type ToldFacts = Partial<Pick<Order["patient"], "sex" | "isNeutered" | "birthDate">>;

/**
 * Adds or updates a patient by the practice's number. Missing values leave the patient's data unchanged.
 *
 * @param issuer  issuer of the number; films are matched by both
 * @returns the patient's id
 */
export function savePracticePatient(
  context: DesktopContext,
  reported: ReportedPatient,
  { issuer = null, facts = {} }: { readonly issuer?: string | null; readonly facts?: ToldFacts } = {},
): Promise<string> {
  // Serialized, since a file and an order may add the same patient at the same time.
  return runInSequence("reported patients", () => save(context, reported, { issuer, facts }));
}

async function save(
  context: DesktopContext,
  reported: ReportedPatient,
  { issuer, facts }: { readonly issuer: string | null; readonly facts: ToldFacts },
): Promise<string> {
  const { number, name, owner, species, breed } = reported;
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
    // A merged number identifies the same patient and does not become the current one.
    await editPatient(context, known.id, { ...said, uuid: known.uuid === null ? number : undefined });
    return known.id;
  }
  const { owner: formerOwner = "", species: formerSpecies = null, breed: formerBreed = "" } = ofFilm ?? {};
  const uuid = patientUuid(issuer, number);
  // A failure in between would leave two patients, and messages would find only the new one.
  const patientId = await transaction(context.db, async () => {
    const { id } = await addPatient(context, {
      ...said,
      owner: owner || formerOwner,
      species: said.species ?? formerSpecies,
      breed: breed || formerBreed,
      uuid: number,
    });
    // A patient created from an earlier film is merged and stays searchable by its number.
    if (ofFilm !== null) await mergePatients(context.db, id, ofFilm.id);
    // Link the number, so that films with this Patient ID are assigned to the patient.
    if ((await findDicomPatient(context.db, uuid)) === null)
      await linkDicomPatient(context.db, uuid, { patientId: id, name, number });
    return id;
  });
  await publishPatient(context, patientId);
  return patientId;
}

/**
 * @throws AppError INVALID_FIELD for other species, or without a name; CONFLICT if films with the number belong to an
 * animal with another name
 */
export async function patientOfOrder(context: DesktopContext, { patient }: Order): Promise<string> {
  const { number, issuer, name, owner, species, breed, sex, isNeutered, birthDate } = patient;
  if (species === "other") throw new AppError("INVALID_FIELD", because("orderOtherAnimal"));
  if (name === "") throw new AppError("INVALID_FIELD", because("orderWithoutName"));
  const link = await findDicomPatient(context.db, patientUuid(issuer, number));
  if (link !== null && !isNameOf(link, name))
    throw new AppError("CONFLICT", because("orderOtherName", { number, name: link.presentName }));
  if (link !== null) {
    const { patientId } = link;
    if (await transaction(context.db, () => learnSpecies(context.db, { patientId, species })))
      await publishPatient(context, patientId);
    return patientId;
  }
  return savePracticePatient(
    context,
    { number, name: name.slice(0, 120), owner, species, breed: breed.slice(0, 120) },
    { issuer, facts: { sex, isNeutered, birthDate } },
  );
}
