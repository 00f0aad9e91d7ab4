import { useScriptedService, type ScriptedService } from "../../main/server/service/scripted-service.ts";
import { describeOwn } from "./service-under-test.ts";

/**
 * Rows that no picture brings about at will: each test has a service of its own with scripted networks, a clock that it
 * moves and a store that it looks into.
 */
export function describeScripted(
  name: string,
  rows: (scripted: ScriptedService) => void,
  options?: Parameters<typeof useScriptedService>[0],
): void {
  describeOwn(name, () => rows(useScriptedService(options)));
}
