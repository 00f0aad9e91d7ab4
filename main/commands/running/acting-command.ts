import { userInfo } from "node:os";
import { runAsActor } from "../../store/audit/acting.ts";

/** Set by the service's `corvet` command, which runs as a different user than its caller. */
const callerVariable = "CORVET_CALLER";

export function asOperatingSystemUser<T>(act: () => T): T {
  const who = process.env[callerVariable] || userInfo().username;
  return runAsActor({ via: "command", personId: null, who }, act);
}
