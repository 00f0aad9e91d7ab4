import { dayMs } from "../../../core/durations.ts";
import { describe, expect, it } from "vitest";
import { decideUpdate, type Moment, type OfferedRelease } from "../../../core/updates/update-decision.ts";

const quiet: Moment = {
  currentVersion: "1.1.0",
  place: 0.4,
  isAsked: false,
  laterUntilMs: null,
  nowMs: 1000,
  underWay: 0,
  isUnsaved: false,
  storeMigrations: ["0001", "0010"],
  isShared: false,
};
const newer: OfferedRelease = { version: "1.2.0", share: 1, migrations: ["0001", "0010", "0020"] };
const older: OfferedRelease = { version: "1.0.0", share: 1, migrations: ["0001", "0010"] };

describe("a newer release", () => {
  it("is installed if nothing is in progress, and reports whether it migrates the store", () => {
    expect(decideUpdate(newer, quiet)).toEqual({ kind: "install", migrates: true, isOlder: false });
    expect(decideUpdate({ ...newer, migrations: quiet.storeMigrations }, quiet)).toMatchObject({ migrates: false });
  });

  it.each([
    ["films are being processed", { underWay: 1 }, "under_way"],
    ["a correction is not saved", { isUnsaved: true }, "unsaved"],
  ] as const)("waits while %s, even on request", (_what, change, reason) => {
    for (const isAsked of [false, true])
      expect(decideUpdate(newer, { ...quiet, ...change, isAsked })).toEqual({ kind: "wait", reason });
  });

  it("waits until the end of a postponement, except on request", () => {
    const later = { ...quiet, laterUntilMs: 1001 };
    expect(decideUpdate(newer, later)).toEqual({ kind: "wait", reason: "later" });
    expect(decideUpdate(newer, { ...later, nowMs: 1001 })).toMatchObject({ kind: "install" });
    expect(decideUpdate(newer, { ...later, isAsked: true })).toMatchObject({ kind: "install" });
    const underWrongClock = { ...quiet, laterUntilMs: quiet.nowMs + 365 * dayMs };
    expect(decideUpdate(newer, underWrongClock)).toMatchObject({ kind: "install" });
  });

  it("is installed on its share of installations, and on any on request", () => {
    const staged = { ...newer, share: 0.4 };
    expect(decideUpdate(staged, quiet)).toEqual({ kind: "wait", reason: "not_in_share" });
    expect(decideUpdate(staged, { ...quiet, place: 0.39 })).toMatchObject({ kind: "install" });
    expect(decideUpdate(staged, { ...quiet, isAsked: true })).toMatchObject({ kind: "install" });
    expect(decideUpdate({ ...newer, share: 0 }, { ...quiet, place: 0 })).toMatchObject({ reason: "not_in_share" });
  });
});

it("checks the share before running work, so that excluded installations download nothing", () => {
  const withdrawn = { ...newer, share: 0 };
  for (const change of [{ underWay: 1 }, { isUnsaved: true }, { laterUntilMs: 1001 }])
    expect(decideUpdate(withdrawn, { ...quiet, ...change })).toEqual({ kind: "wait", reason: "not_in_share" });
});

describe("a store shared by workstations", () => {
  const shared = { ...quiet, isShared: true };

  it.each([true, false])(
    "must be migrated by its owner before a release that requires it (requested: %s)",
    (isAsked) => {
      expect(decideUpdate(newer, { ...shared, isAsked })).toEqual({ kind: "wait", reason: "owner" });
      const migrated = { ...shared, isAsked, storeMigrations: newer.migrations };
      expect(decideUpdate(newer, migrated)).toEqual({ kind: "install", migrates: false, isOlder: false });
    },
  );

  it("does not delay a release without migrations", () => {
    const unchanged = { ...newer, migrations: shared.storeMigrations };
    expect(decideUpdate(unchanged, shared)).toMatchObject({ kind: "install" });
  });
});

describe("an older release", () => {
  it("is never installed automatically", () => {
    expect(decideUpdate(older, quiet)).toEqual({ kind: "refuse", reason: "older" });
  });

  it("is installed on request if it contains the store's migrations", () => {
    expect(decideUpdate(older, { ...quiet, isAsked: true })).toEqual({
      kind: "install",
      migrates: false,
      isOlder: true,
    });
  });

  it("is refused if it lacks a migration of the store", () => {
    const seen = { ...quiet, isAsked: true, storeMigrations: [...quiet.storeMigrations, "0020"] };
    expect(decideUpdate(older, seen)).toEqual({ kind: "refuse", reason: "store_too_new" });
  });
});

it("refuses the running version", () => {
  expect(decideUpdate({ ...newer, version: "1.1.0" }, quiet)).toEqual({ kind: "refuse", reason: "same_version" });
});
