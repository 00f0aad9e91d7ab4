import { afterEach, expect, test, vi } from "vitest";
import { setConnection } from "../../../renderer/state/connection.ts";
import { useProgram } from "../../../renderer/state/program.ts";

afterEach(() => vi.unstubAllGlobals());

test("saves consecutive settings in order", async () => {
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  const first = Promise.withResolvers<null>();
  let stored: object = { theme: "dark", language: "en" };
  let requests = 0;
  const call = async (_channel: string, change: object) => {
    requests += 1;
    if (requests === 1) await first.promise;
    stored = { ...stored, ...change };
    return { ok: true, value: stored };
  };
  setConnection({ kind: "browser", call: call as never, subscribe: () => () => undefined });
  const { save } = useProgram.getState();
  const changes = [save({ clinicAddress: "12 Pond Street" }), save({ clinicLogo: "logo" })];
  await expect.poll(() => requests).toBe(1);
  first.resolve(null);
  await Promise.all(changes);
  expect(requests).toBe(2);
  expect(useProgram.getState().settings).toMatchObject({ clinicAddress: "12 Pond Street", clinicLogo: "logo" });
});
