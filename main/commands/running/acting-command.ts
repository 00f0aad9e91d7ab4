import { userInfo } from "node:os";
import { actingAs } from "../../store/audit/acting.ts";

/** Records what `act` does under the name of the operating-system user. */
export function asOperatingSystemUser<T>(act: () => T): T {
  return actingAs({ via: "command", personId: null, who: userInfo().username }, act);
}
