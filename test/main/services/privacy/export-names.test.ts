import { afterEach, expect, test, vi } from "vitest";
import { keyFileOf } from "../../../../main/services/privacy/anonymous-films.ts";
import { exportName } from "../../../../main/services/privacy/export-patient.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("dates exports by the local day, like the film dates on the screen", () => {
  vi.stubEnv("TZ", "Australia/Sydney");
  const morning = new Date("2026-12-01T21:30:00.000Z");
  expect([exportName(morning), keyFileOf([], morning).fileName]).toEqual([
    "corvet-patient-2026-12-02.zip",
    "corvet-who-is-who-2026-12-02.csv",
  ]);
});
