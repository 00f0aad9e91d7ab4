import { describe, expect, it } from "vitest";
import { createKey } from "../../main/services/calls/keys.ts";
import { setEnterpriseRates, listApiKeys } from "../../main/store/people/api-keys.ts";
import { examplePayload } from "../core/usg/example-payload.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/service/sample-images.ts";
import { unrectifiedFrame } from "../fixtures/pop-frames.ts";
import { fillMonth, measured, measuredAt } from "../main/store/sample-store.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { ownOnly, useServiceUnderTest } from "./service/service-under-test.ts";
import { rawly } from "../fixtures/raw-store.ts";

const image = await plainImage();
describe("decision Billing: a response is sent after its charge is on disk", () => {
  const service = useServiceUnderTest();
  it("a cardiac call right after ten screenings counts all of them", async ({ skip }) => {
    // Other test files use the same key concurrently.
    skip(!service.own, ownOnly);
    const film = fixtureImage(fixtureNames("films")[0] ?? "");
    const usage = async () =>
      ((await service.post("/v3/predict", { image: film })).body["billing"] as { monthly_usage: number }).monthly_usage;
    let before = await usage();
    for (let round = 0; round < 2; round += 1) {
      const screenings = Array.from({ length: 10 }, () => service.post("/usg/v1/predict", examplePayload));
      expect((await Promise.all(screenings)).map(({ status }) => status)).toEqual(Array(10).fill(200));
      const after = await usage();
      expect(after - before).toBe(11);
      before = after;
    }
  });
});

/** Rules 1 and 2 are tested with the result codes of 2.7. */
describeScripted("8 Billing rules", (service) => {
  const billingOf = async (path: string, body: object) =>
    (await service.post(path, body)).body["billing"] as Record<string, unknown>;
  const charges = async () =>
    await rawly(service.context.db, "SELECT call_type, amount_cents FROM ledger ORDER BY seq");

  it("rule 3: repeat calls are free for 24 hours after a billed one, not a free one (decision Billing)", async () => {
    service.script.measure = async () => measured;
    const bill = async (hours: number) => {
      service.clock.at = new Date(Date.parse("2025-12-01T00:00:00Z") + hours * 3_600_000);
      return (await billingOf("/v3/predict", { image, uuid: "patient-3" }))["reason"];
    };
    expect([await bill(0), await bill(20), await bill(23.99), await bill(24), await bill(47)]).toEqual([
      "valid_vhs",
      "recheck_24h",
      "recheck_24h",
      "valid_vhs",
      "recheck_24h",
    ]);
  });
  it("decision Billing: concurrent calls with one uuid are billed once", async () => {
    service.script.measure = async () => measuredAt(9);
    const answers = await Promise.all([1, 2, 3].map(() => billingOf("/v3/predict", { image, uuid: "patient-4" })));
    expect(answers.map(({ reason }) => reason).sort()).toEqual(["recheck_24h", "recheck_24h", "valid_vhs"]);
  });
  it("decision Billing: keys of one account share volume, history and grace period", async () => {
    const { key } = await createKey(service.context.db, {
      accountName: "Clinic",
      name: "second",
      at: service.clock.at,
    });
    await service.post("/v3/predict", { image, uuid: "patient-6" });
    const { body } = await service.post("/v3/predict", { image, uuid: "patient-6" }, { "x-api-key": key });
    expect(body).toMatchObject({
      billing: { reason: "recheck_24h", monthly_usage: 1 },
      historic_vhs: [[expect.any(String), 10.12]],
    });
  });
  it("decision Billing: calls of another account start no grace period and are not counted", async () => {
    await service.post("/v3/predict", { image, uuid: "patient-7" });
    const { body } = await service.post(
      "/v3/predict",
      { image, uuid: "patient-7" },
      { "x-api-key": service.foreignKey },
    );
    const billing = { billable: true, monthly_usage: 1 };
    expect(body).toMatchObject({ billing, historic_vhs: [], historic_vlas: [] });
  });
  it("2.6 monthly_usage: the billing period is the calendar month in UTC (decision Billing)", async () => {
    const usages = [];
    for (const at of ["2025-11-30T23:59:59.999Z", "2025-11-30T23:59:59.999Z", "2025-12-01T00:00:00.000Z"]) {
      service.clock.at = new Date(at);
      usages.push((await billingOf("/v3/predict", { image }))["monthly_usage"]);
    }
    expect(usages).toEqual([1, 2, 1]);
  });
  it("rule 4: batch, stream and completed PoP session are each one event at the session rate", async () => {
    service.script.measure = async () => measured;
    const before = (await charges()).length;
    await billingOf("/v3/predict", { images: [image, image, image] });
    await service.post("/v3/predict/stream", { images: [image, image] });
    const {
      body: { session_id },
    } = await service.post("/v3/pop-session/start", {});
    for (let frame = 0; frame < 4; frame += 1) await service.post("/v3/pop-session", { image, session_id });
    expect((await charges()).slice(before)).toEqual(Array(3).fill({ call_type: "session", amount_cents: 400 }));
  });
  it("rule 4: a failed PoP session is never billed (section 3)", async () => {
    const before = (await charges()).length;
    const {
      body: { session_id },
    } = await service.post("/v3/pop-session/start", {});
    await service.post("/v3/pop-session", { image, session_id });
    await service.post("/v3/pop-session", { image, session_id });
    service.script.measurePhotograph = async () => unrectifiedFrame;
    for (let frame = 0; frame < 4; frame += 1) await service.post("/v3/pop-session", { image, session_id });
    expect(await billingOf("/v3/pop-session", { image, session_id })).toEqual({
      billable: false,
      reason: "no_valid_vhs",
      monthly_usage: expect.any(Number),
      tier: "paygo",
    });
    expect((await charges()).length).toBe(before);
  });
  it("tiers: each call is charged by its position in the month, single or session (decision Billing)", async () => {
    const { db } = service.context;
    let day = 0;
    const billedAs = async (ordinal: number, body: object) => {
      service.clock.at = new Date(Date.UTC(2025, 0, (day += 1)));
      const { [0]: volume } = await rawly(db, "SELECT count(*) AS calls FROM ledger");
      const calls = ordinal - 1 - Number(volume?.["calls"]);
      await fillMonth(db, { accountId: service.accountId, at: service.clock.at, calls });
      const { monthly_usage, tier, rate } = await billingOf("/v3/predict", body);
      return [monthly_usage, tier, rate];
    };
    const [single, session] = [{ image }, { images: [image] }];
    expect([
      await billedAs(1, single),
      await billedAs(100, session),
      await billedAs(101, single),
      await billedAs(500, session),
      await billedAs(501, single),
      await billedAs(2000, session),
      await billedAs(2001, single),
    ]).toEqual([
      [1, "paygo", 3],
      [100, "paygo", 4],
      [101, "starter", 2.5],
      [500, "starter", 3.5],
      [501, "professional", 2],
      [2000, "professional", 3],
      [2001, "enterprise", 2],
    ]);
    const keyId = (await listApiKeys(db)).find(({ accountId }) => accountId === service.accountId)!.id;
    await setEnterpriseRates(db, { keyId, rates: { single: 125, session: 199 } });
    expect([await billedAs(2002, single), await billedAs(2003, session)]).toEqual([
      [2002, "enterprise", 1.25],
      [2003, "enterprise", 1.99],
    ]);
  });
});
