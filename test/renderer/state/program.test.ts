import { afterEach, expect, test, vi } from "vitest";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { useProgram } from "../../../renderer/state/program.ts";

afterEach(() => vi.unstubAllGlobals());

test("saves consecutive settings in order", async () => {
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  const first = Promise.withResolvers<null>();
  let stored: object = { theme: "dark", language: "en" };
  let requests = 0;
  answerCalls(async (_channel, change: object) => {
    requests += 1;
    if (requests === 1) await first.promise;
    stored = { ...stored, ...change };
    return { ok: true, value: stored };
  });
  const { save } = useProgram.getState();
  const changes = [save({ clinicAddress: "12 Pond Street" }), save({ clinicLogo: "logo" })];
  await expect.poll(() => requests).toBe(1);
  first.resolve(null);
  await Promise.all(changes);
  expect(requests).toBe(2);
  expect(useProgram.getState().settings).toMatchObject({ clinicAddress: "12 Pond Street", clinicLogo: "logo" });
});
