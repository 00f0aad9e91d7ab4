import { describe, expect, it } from "vitest";
import type { RadiographMeasurement } from "../../core/cardiac/radiograph-measurement.ts";
import { createKey } from "../../main/services/calls/keys.ts";
import { agreeEnterpriseRates, listApiKeys } from "../../main/store/people/api-keys.ts";
import { examplePayload } from "../core/usg/example-payload.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/service/sample-images.ts";
import { unrectified, unrectifiedFrame, type ScriptedService } from "../main/server/service/scripted-service.ts";
import { fillMonth, measured, measuredAt, rejected, unmeasured } from "../main/store/sample-store.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { ownOnly, useServiceUnderTest } from "./service/service-under-test.ts";
import { rawly } from "../fixtures/raw-store.ts";

const image = await plainImage();
const everyCode: [number, boolean, RadiographMeasurement][] = [
  [1, true, measured],
  [2, true, { ...measured, resultCode: 2, tier: "good" }],
  [3, true, { ...measured, resultCode: 3, tier: "review" }],
  [4, true, { ...measuredAt(9, null), resultCode: 4 }],
  [0, false, { ...unmeasured, resultCode: 0 }],
  [5, false, unmeasured],
  [6, false, rejected],
  [7, false, unrectified],
];

describe("decision Billing: an answer leaves only after its charge is on disk", () => {
  const service = useServiceUnderTest();
  it("a cardiac call right after ten screenings counts them, every time", async ({ skip }) => {
    // Other files of the suite are billed to the same key meanwhile.
    skip(!service.own, ownOnly);
    const film = fixtureImage(fixtureNames("films")[0] ?? "");
    const usage = async () =>
      ((await service.post("/v3/predict", { image: film })).body["billing"] as { monthly_usage: number }).monthly_usage;
    let before = await usage();
    for (let round = 0; round < 5; round += 1) {
      const screenings = Array.from({ length: 10 }, () => service.post("/usg/v1/predict", examplePayload));
      expect((await Promise.all(screenings)).map(({ status }) => status)).toEqual(Array(10).fill(200));
      const after = await usage();
      expect(after - before).toBe(11);
      before = after;
    }
  });
});

describeScripted("8 Billing rules", (service) => {
  const billingOf = async (path: string, body: object) =>
    (await service.post(path, body)).body["billing"] as Record<string, unknown>;
  const charges = async () =>
    await rawly(service.context.db, "SELECT call_type, amount_cents FROM ledger ORDER BY seq");

  it.each(everyCode)("rules 1 and 2: result code %i is billed: %s", async (code, isBilled, measurement) => {
    service.script.measure = async () => measurement;
    const before = (await charges()).length;
    expect(await billingOf("/v3/predict", { image })).toMatchObject({
      billable: isBilled,
      reason: isBilled ? "valid_vhs" : "no_valid_vhs",
    });
    expect([code, (await charges()).length - before]).toEqual([code, isBilled ? 1 : 0]);
  });
  it("rule 3: a repeat call with the same uuid is free for 24 hours after a billed one; free calls do not extend that (decision Billing)", async () => {
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
  it("decision Billing: two calls with one uuid at the same moment bill once", async () => {
    service.script.measure = async () => measuredAt(9);
    const answers = await Promise.all([1, 2, 3].map(() => billingOf("/v3/predict", { image, uuid: "patient-4" })));
    expect(answers.map(({ reason }) => reason).sort()).toEqual(["recheck_24h", "recheck_24h", "valid_vhs"]);
  });
  it("decision Billing: keys of one account share its volume, history and grace", async () => {
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
  it("decision Billing: another account's calls give no grace and are not counted", async () => {
    await service.post("/v3/predict", { image, uuid: "patient-7" });
    const { body } = await service.post(
      "/v3/predict",
      { image, uuid: "patient-7" },
      { "x-api-key": service.foreignKey },
    );
    expect(body).toMatchObject({ billing: { billable: true, monthly_usage: 1 }, historic_vhs: [] });
  });
  it("2.6 monthly_usage: the billing period is the calendar month in UTC (decision Billing)", async () => {
    const usages = [];
    for (const at of ["2025-11-30T23:59:59.999Z", "2025-11-30T23:59:59.999Z", "2025-12-01T00:00:00.000Z"]) {
      service.clock.at = new Date(at);
      usages.push((await billingOf("/v3/predict", { image }))["monthly_usage"]);
    }
    expect(usages).toEqual([1, 2, 1]);
  });
  it("tier enterprise, custom: the key's own rates once they are agreed (decision Billing)", async () => {
    const keys = await listApiKeys(service.context.db);
    const keyId = keys.find(({ accountId }) => accountId === service.accountId)!.id;
    await agreeEnterpriseRates(service.context.db, { keyId, rates: { single: 125, session: 199 } });
    await fill(service, 2000);
    expect([
      await billingOf("/v3/predict", { image }),
      await billingOf("/v3/predict", { images: [image] }),
    ]).toMatchObject([
      { tier: "enterprise", rate: 1.25 },
      { tier: "enterprise", rate: 1.99 },
    ]);
  });
  it("decision Billing: a call that gave no VHS begins no grace", async () => {
    service.script.measure = async () => unmeasured;
    await billingOf("/v3/predict", { image, uuid: "patient-5" });
    service.script.measure = async () => measured;
    expect(await billingOf("/v3/predict", { image, uuid: "patient-5" })).toMatchObject({ billable: true });
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
  it.each([
    [
      ["paygo", 1, 3, 4],
      ["paygo", 2, 3, 4],
    ],
    [
      ["paygo", 100, 3, 4],
      ["starter", 101, 2.5, 3.5],
    ],
    [
      ["starter", 500, 2.5, 3.5],
      ["professional", 501, 2, 3],
    ],
    [
      ["professional", 2000, 2, 3],
      ["enterprise", 2001, 2, 3],
    ],
  ] as const)(
    "tiers: the month's calls %j and %j cost so many dollars single and in a session (decision Billing)",
    async (one, other) => {
      service.script.measure = async () => measured;
      const forms = [{ image }, { images: [image] }];
      // Each in both forms: one month has the one first, the next month the other.
      for (const [month, formFirst, formThen] of [
        [0, 0, 1],
        [1, 1, 0],
      ] as const) {
        service.clock.at = new Date(Date.UTC(2025, month, 3));
        await fill(service, one[1] - 1);
        for (const [[tier, ordinal, ...rates], form] of [
          [one, formFirst],
          [other, formThen],
        ] as const)
          expect(await billingOf("/v3/predict", forms[form] ?? {})).toMatchObject({
            billable: true,
            monthly_usage: ordinal,
            tier,
            rate: rates[form],
          });
      }
    },
  );
});

const fill = ({ context: { db }, accountId, clock: { at } }: ScriptedService, calls: number) =>
  fillMonth(db, { accountId, at, calls });
