import { randomUUID } from "node:crypto";
import { AppError, because } from "../../../core/app-error.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { personName } from "../../../core/contract/desktop/practice/people.ts";
import type { Role } from "../../../core/people/roles.ts";
import { isDesktop, recoveryCommand } from "../../program.ts";
import { recordAudit } from "../../store/audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { transaction } from "../../store/engines/engine.ts";
import {
  addPerson,
  getPerson,
  hasAdministrator,
  listPeople,
  peopleSetting,
  setSecretHash,
} from "../../store/people/people.ts";
import { getSetting, saveSetting } from "../../store/settings.ts";
import { hashSecret } from "./secrets.ts";

export async function describePeople({
  db,
  dataDir,
}: {
  readonly db: ReadableDb;
  readonly dataDir: string;
}): Promise<DesktopResponse<"people.list">> {
  const { isOn, lockAfterMinutes } = await getSetting(db, peopleSetting);
  return {
    isOn,
    lockAfterMinutes,
    forgotten: {
      does: isDesktop() ? "signInOff" : "newPin",
      command: recoveryCommand("--sign-in-off", "people pin NAME", dataDir),
    },
    people: (await listPeople(db)).map(({ id, name, role, createdAtMs, retiredAtMs }) => ({
      id,
      name,
      role,
      createdAt: new Date(createdAtMs).toISOString(),
      retiredAt: retiredAtMs === null ? null : new Date(retiredAtMs).toISOString(),
    })),
  };
}

/** @returns the user's id @throws AppError INVALID_FIELD for an invalid name, CONFLICT if another user has it */
export async function createPerson(
  db: WritableDb,
  { name, role, secret }: { readonly name: string; readonly role: Role; readonly secret: string },
  at: Date,
): Promise<string> {
  if (!personName.safeParse(name).success) throw new AppError("INVALID_FIELD", "A name has 1 to 100 characters");
  const id = randomUUID();
  await addPerson(db, { id, name: name.normalize("NFC"), role, secretHash: await hashSecret(secret) }, at);
  return id;
}

/** @throws AppError NOT_FOUND */
export async function changeSecret(db: WritableDb, personId: string, secret: string, at: Date): Promise<void> {
  await setSecretHash(db, (await getPerson(db, personId)).id, await hashSecret(secret), at);
}

/** @throws AppError CONFLICT without an administrator, since only an administrator can turn sign-in off again */
export async function turnUsersOn(db: WritableDb, at: Date): Promise<void> {
  await transaction(db, async () => {
    if (!(await hasAdministrator(db))) throw new AppError("CONFLICT", because("noAdministrator"));
    const people = await getSetting(db, peopleSetting);
    if (people.isOn) return;
    await saveSetting(db, peopleSetting, { ...people, isOn: true, turnedOn: people.turnedOn + 1 });
    await recordAudit(db, { action: "people.turned_on", at });
  });
}

/** Accounts are kept. */
export async function turnUsersOff(db: WritableDb, at: Date): Promise<void> {
  await transaction(db, async () => {
    const people = await getSetting(db, peopleSetting);
    if (!people.isOn) return;
    await saveSetting(db, peopleSetting, { ...people, isOn: false });
    await recordAudit(db, { action: "people.turned_off", at });
  });
}
