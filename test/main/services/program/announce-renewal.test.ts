// Runs once: uses no store.
import { expect, it } from "vitest";
import { announceRenewal } from "../../../../main/services/program/announce-renewal.ts";
import { createTroubles } from "../../../../main/services/program/troubles.ts";

const dayMs = 24 * 60 * 60 * 1000;
const at = new Date("2027-03-01T00:00:00Z");

function program() {
  const [told, lines]: [string[], unknown[]] = [[], []];
  const log = { info: (fields: unknown) => void lines.push(fields), warn: () => undefined, error: () => undefined };
  let clock = at;
  const now = () => clock;
  const troubles = createTroubles({ log, reportFault: ({ message }) => void told.push(message) }, () => undefined);
  const announce = (daysLeft: number, renewal: { readonly at: Date } | null = { at }, isAuthorityReplaced = false) => {
    clock = new Date(at.getTime() - daysLeft * dayMs);
    announceRenewal({ log, now }, troubles, { renewal, isAuthorityReplaced });
    return troubles.list().map(({ code }) => code);
  };
  return { announce, told, lines };
}

it("logs a renewal from the first day", () => {
  const { announce, told, lines } = program();
  expect([announce(179), told, lines]).toEqual([[], [], [{ at: "2027-03-01" }]]);
});

it("reports a renewal once in window and health before the change, with the date", () => {
  const { announce, told } = program();
  expect([announce(59), announce(58)]).toEqual([["AUTHORITY_RENEWAL"], ["AUTHORITY_RENEWAL"]]);
  expect(told).toEqual([expect.stringContaining("2027-03-01")]);
});

it("reports nothing once the successor is in use", () => {
  const { announce } = program();
  announce(10);
  expect(announce(0, null)).toEqual([]);
});

it("reports an authority that was replaced without a successor", () => {
  const { announce, told } = program();
  expect(announce(0, null, true)).toEqual(["AUTHORITY_RENEWAL"]);
  expect(told).toEqual([expect.stringContaining("was replaced")]);
});
