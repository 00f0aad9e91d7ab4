import { afterEach, expect, it } from "vitest";
import type { UpdateState } from "../../../../core/contract/desktop/updates.ts";
import { useNavigation } from "../../../../renderer/state/navigation.ts";
import { installUpdate } from "../../../../renderer/state/upkeep/updates.ts";
import { answerCalls } from "../../../fixtures/page/answer-calls.ts";

afterEach(() => useNavigation.setState({ guard: null }));

it("reports an unsaved correction with the request to install an update", async () => {
  const requests: unknown[] = [];
  answerCalls((channel, request) => {
    requests.push([channel, request]);
    return { ok: true, value: {} as UpdateState };
  });
  await installUpdate();
  useNavigation.setState({ guard: { save: async () => undefined, discard: () => undefined } });
  await installUpdate();
  expect(requests).toEqual([
    ["updates.install", { isUnsaved: false }],
    ["updates.install", { isUnsaved: true }],
  ]);
});
