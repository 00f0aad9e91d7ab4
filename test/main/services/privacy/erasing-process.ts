/** Erases a patient and is killed before the films are deleted. Arguments: data directory and id of the patient. */
import { generateKeyPairSync } from "node:crypto";
import { openStoreOf } from "../../../../main/services/program/store-location.ts";
import { erasePatient } from "../../../../main/store/privacy/erase-patient.ts";
import { findIdentity } from "../../../../main/store/privacy/patient-record.ts";

const [dataDir = "", patientId = ""] = process.argv.slice(2);
const db = await openStoreOf(dataDir, { create: false, setAside: false });
const { privateKey } = generateKeyPairSync("ed25519");
const identity = await findIdentity(db, patientId);
await erasePatient(db, { identity, why: "asked for", by: "test", at: new Date(), privateKey });
process.kill(process.pid, "SIGKILL");
