import { useScriptedService, type ScriptedService } from "../../main/server/service/scripted-service.ts";
import { describeOwn } from "./service-under-test.ts";

/** Rows that pictures cannot provoke: each test has scripted networks, an adjustable clock and its own store. */
export function describeScripted(
  name: string,
  rows: (scripted: ScriptedService) => void,
  options?: Parameters<typeof useScriptedService>[0],
): void {
  describeOwn(name, () => rows(useScriptedService(options)));
}
