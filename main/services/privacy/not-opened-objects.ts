import { storedInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { engineOf } from "../../store/engines/engine.ts";
import { findDicomPatient } from "../../store/films/dicom/dicom-patients.ts";
import { forgetSetAside, listSetAsideOfAll, type SetAsideObject } from "../../store/films/dicom/set-aside-objects.ts";
import { listMachines } from "../../store/machines/machines.ts";
import type { PatientIdentity } from "../../store/privacy/patient-record.ts";
import { isNameOf } from "../worklist/import-dicom.ts";

/** Deletes the entries of this workstation. @returns names of their files, which must be deleted */
export async function forgetNotOpened(db: WritableDb, identity: PatientIdentity): Promise<readonly string[]> {
  const { machineId: own } = engineOf(db);
  const objects = (await listNotOpened(db, identity)).filter(({ machineId }) => machineId === own);
  for (const { id } of objects) await forgetSetAside(db, id);
  return objects.map(({ fileName }) => fileName);
}

/** Lists them as `object.dcm (Reception)`. */
export async function listNotOpenedElsewhere(db: ReadableDb, identity: PatientIdentity): Promise<readonly string[]> {
  const { machineId: own } = engineOf(db);
  const names = new Map((await listMachines(db)).map(({ id, name }) => [id, name]));
  const objects = (await listNotOpened(db, identity)).filter(({ machineId }) => machineId !== own);
  return objects.map(({ machineId, fileName }) => `${fileName} (${names.get(machineId ?? "") ?? "?"})`);
}

async function listNotOpened(db: ReadableDb, { patientId }: PatientIdentity): Promise<readonly SetAsideObject[]> {
  const found: SetAsideObject[] = [];
  for (const object of await listSetAsideOfAll(db)) if (await isOf(db, object, patientId)) found.push(object);
  return found;
}

/** An object of the same Patient ID with another name belongs to another animal. @see patientOfInstance */
async function isOf(db: ReadableDb, { facts }: SetAsideObject, patientId: string | null): Promise<boolean> {
  const said = facts === null ? null : storedInstance(facts).patient;
  const link = said?.uuid ? await findDicomPatient(db, said.uuid) : null;
  return link !== null && link.patientId === patientId && isNameOf(link, said?.name ?? said?.id ?? "");
}
