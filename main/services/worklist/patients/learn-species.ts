import type { ToldPatient } from "../../../../core/hl7/patient-message.ts";
import { findPatient } from "../../../store/films/patients.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { editPatient } from "./patients.ts";

/**
 * Keeps what animal a film or an order names where nobody has said it of the patient yet, and tells the pages; never
 * called within a transaction.
 *
 * @param patientId  null for a film that is nobody's
 */
export async function learnSpecies(
  context: DesktopContext,
  patientId: string | null,
  species: ToldPatient["species"],
): Promise<void> {
  if (patientId === null || species === null || species === "other") return;
  const known = await findPatient(context.db, patientId);
  if (known?.species === null) await editPatient(context, patientId, { species });
}
