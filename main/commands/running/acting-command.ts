import { userInfo } from "node:os";
import { actingAs } from "../../store/audit/acting.ts";

/** Does what a command does in the name of the operating system's user, who is all that is known. */
export function asOperatingSystemUser<T>(act: () => T): T {
  return actingAs({ via: "command", personId: null, who: userInfo().username }, act);
}
