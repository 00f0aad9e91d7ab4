import { userInfo } from "node:os";
import { actingAs } from "../../store/audit/acting.ts";

/** Set by the service's command, which runs as another user than its caller. */
const callerVariable = "CORVET_CALLER";

/** Records what `act` does under the name of the operating-system user who called the command. */
export function asOperatingSystemUser<T>(act: () => T): T {
  const who = process.env[callerVariable] || userInfo().username;
  return actingAs({ via: "command", personId: null, who }, act);
}
