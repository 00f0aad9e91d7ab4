import { userInfo } from "node:os";
import { turnUsersOff } from "../../services/people/people.ts";
import { runAsActor } from "../../store/audit/acting.ts";
import type { WritableDb } from "../../store/database.ts";

/** Grants no new access: a user who can start programs with arguments can also read the store. */
export async function turnSignInOff(db: WritableDb): Promise<void> {
  const actor = { via: "command", personId: null, who: userInfo().username } as const;
  await runAsActor(actor, () => turnUsersOff(db, new Date()));
}
