import { afterAll, beforeAll, expect, it } from "vitest";
import { examplePayload } from "../../core/usg/example-payload.ts";
import { runCommand } from "../../fixtures/process/corvet-command.ts";
import { openUsgServer, type UsgServer } from "../server/service/usg-server.ts";

let server: UsgServer;
beforeAll(async () => {
  server = await openUsgServer();
  const calls = [
    { clinic_code: "K-1", uuid: "a" },
    { clinic_code: "K-1", uuid: "a", age_months: 190, BUN: 120, CREATININE: 7, HGB: 8 },
    { clinic_code: '=1+1,"x"', uuid: "b" },
    {},
  ];
  for (const call of calls) await server.predict({ ...examplePayload, age_months: 24, ...call });
  await Promise.all(server.app.settling);
});
afterAll(() => server.close());

const report = (...args: string[]) => runCommand("usg-report", ...args);

it("prints a table, or CSV in which a spreadsheet runs no formula", async () => {
  const dir = ["--data-dir", server.context.dataDir];
  expect((await report(...dir, "--csv")).stdout).toBe(
    [
      "clinicCode,month,total,low,moderate_low,moderate_high,high,billed",
      ",2026-11,1,1,0,0,0,1",
      `"'=1+1,""x""",2026-11,1,1,0,0,0,1`,
      "K-1,2026-11,2,1,0,0,1,1",
      "",
    ].join("\r\n"),
  );
  expect((await report(...dir, "--clinic", "K-1", "--month", "2026-11")).stdout).toBe(
    "clinicCode  month    total  low  moderate_low  moderate_high  high  billed\n" +
      "K-1         2026-11  2      1    0             0              1     1\n",
  );
});

it("rejects invalid command lines", async () => {
  const dir = ["--data-dir", server.context.dataDir];
  expect(
    [
      await report(...dir, "--month", "11/2026"),
      await report(...dir, "--account", "Nobody"),
      await report("--data-dir", "/nonexistent"),
      await report("x"),
    ].map(({ status, stderr }) => [status, stderr.split("\n")[0]]),
  ).toEqual([
    [2, "usg-report: option '--month <YYYY-MM>' argument '11/2026' is invalid. It must look like 2026-11."],
    [1, "usg-report: There is no account Nobody."],
    [1, expect.stringContaining("usg-report: ")],
    [2, expect.stringContaining("usg-report: ")],
  ]);
});
