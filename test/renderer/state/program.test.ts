import { afterEach, expect, test, vi } from "vitest";
import { setConnection } from "../../../renderer/state/connection.ts";
import { useProgram } from "../../../renderer/state/program.ts";

afterEach(() => vi.unstubAllGlobals());

test("whatever is counted may have changed in an interruption, sign-ins of others as well", () => {
  const before = useProgram.getState().changes;
  useProgram.getState().noteAllChanges();
  const wanted = Object.fromEntries(Object.entries(before).map(([name, count]) => [name, count + 1]));
  expect(useProgram.getState().changes).toEqual(wanted);
});

test("keeps both of two settings saved in a row, whichever is answered first", async () => {
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  const answers = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  let asked = 0;
  setConnection({ kind: "browser", call: () => answers[asked++]!.promise as never, subscribe: () => () => undefined });
  const saved = (clinicAddress: string, clinicLogo: string) => ({
    ok: true,
    value: { theme: "dark", language: "en", clinicAddress, clinicLogo },
  });
  const { save } = useProgram.getState();
  const changes = [save({ clinicAddress: "12 Pond Street" }), save({ clinicLogo: "logo" })];
  answers[1]!.resolve(saved("12 Pond Street", "logo"));
  await changes[1];
  answers[0]!.resolve(saved("12 Pond Street", ""));
  await changes[0];
  expect(useProgram.getState().settings).toMatchObject({ clinicAddress: "12 Pond Street", clinicLogo: "logo" });
});
