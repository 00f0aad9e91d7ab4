import { useScriptedService, type ScriptedService } from "../../main/server/service/scripted-service.ts";
import { describeOwn } from "./service-under-test.ts";

/**
 * Describes rows that cannot be provoked by pictures. Each test has its own service with scripted networks, an
 * adjustable clock and access to the store.
 */
export function describeScripted(
  name: string,
  rows: (scripted: ScriptedService) => void,
  options?: Parameters<typeof useScriptedService>[0],
): void {
  describeOwn(name, () => rows(useScriptedService(options)));
}
