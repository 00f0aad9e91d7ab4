import { afterEach, beforeEach } from "vitest";
import { openScriptedService, type ScriptedService } from "../main/server/scripted-service.ts";
import { describeOwn } from "./service-under-test.ts";

/**
 * Rows that no picture brings about at will: each test has a service of its own with scripted networks, a clock that it moves and a store
 * that it looks into.
 *
 * @param rows  is given the service; what it holds is there once a test runs
 */
export function describeScripted(name: string, rows: (scripted: ScriptedService) => void, options: Parameters<typeof openScriptedService>[0] = {}): void {
  describeOwn(name, () => {
    const scripted = {} as ScriptedService;
    beforeEach(async () => void Object.assign(scripted, await openScriptedService(options)));
    afterEach(() => scripted.close());
    rows(scripted);
  });
}
