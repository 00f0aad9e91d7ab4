import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PopFrame } from "../../../../main/inference/engine-types.ts";
import { withdrawLostCharges } from "../../../../main/services/calls/delivery.ts";
import { purgePopSessions } from "../../../../main/services/calls/pop-session.ts";
import { listLedgerEvents } from "../../../../main/store/ledger/ledger-reports.ts";
import { listUndelivered } from "../../../../main/store/ledger/undelivered-charges.ts";
import { plainImage } from "../../server/service/sample-images.ts";
import { popFrame, popMeasured, unrectifiedFrame } from "../../../fixtures/pop-frames.ts";
import {
  openScriptedService,
  type ScriptedAnswer,
  type ScriptedService,
} from "../../server/service/scripted-service.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

/** Shared by all tests: each uses its own sessions, and the clock only moves forward. */
let service: ScriptedService;
beforeAll(async () => {
  service = await openScriptedService();
});
afterAll(() => service.close());
const image = await plainImage();

const good = popFrame();
const poor = popFrame({ ...popMeasured, resultCode: 3, tier: "review" });

async function start(headers = {}): Promise<string> {
  const { status, body } = await service.post("/v3/pop-session/start", {}, headers);
  expect(status).toBe(200);
  return String(body["session_id"]);
}

function frame(sessionId: string, says: PopFrame = good, extra: object = {}): Promise<ScriptedAnswer> {
  service.script.measurePhotograph = async () => says;
  return service.post("/v3/pop-session", { image, session_id: sessionId, ...extra });
}

const later = (seconds: number) => (service.clock.at = new Date(service.clock.at.getTime() + seconds * 1000));
const charges = async (...ids: readonly string[]) =>
  (await listLedgerEvents(service.context.db, {}))
    .filter(({ callId }) => ids.includes(String(callId)))
    .map(({ kind, callType, amountCents }) => ({ kind, callType, amountCents }));
const oneSession = [{ kind: "charge", callType: "session", amountCents: 400 }];
const raw = (statement: string) => rawly(service.context.db, statement);
const keptRows = async (...ids: readonly string[]) => {
  const listed = ids.map((id) => `'${id}'`).join();
  const frames = await raw(`SELECT count(*) AS n FROM pop_session_frames WHERE session_id IN (${listed})`);
  return [...frames, ...(await raw(`SELECT count(*) AS n FROM pop_sessions WHERE id IN (${listed})`))];
};

describe("an open session", () => {
  it("continues unbilled after a failed frame and returns the progress", async () => {
    const id = await start();
    await frame(id);
    expect((await frame(id, unrectifiedFrame)).body).toEqual({
      session_id: id,
      session_status: "continue",
      reason: "1/3 good frames",
      frame_index: 1,
      frames_processed: 2,
      good_frames: 1,
      result_code: 7,
      result_description: "PoP image detected but perspective correction failed",
      model_version: "3.4.0-ensemble",
      frame_result: {
        vhs: null,
        vlas: null,
        spread: null,
        model_confidence: "review",
        landmarks_detected: false,
        pop_detected: false,
      },
    });
    expect(await charges(id)).toEqual([]);
  });
  it("returns details with the completing frame on request", async () => {
    const reviewReasons = [{ kind: "member_scatter", value: 0.172, limit: 0.11 } as const];
    const intervals = { coverage: 0.8, vhs: { low: 9.5, high: 10.7 }, vlas: null };
    const says = popFrame({ ...popMeasured, intervals, reviewReasons });
    const id = await start();
    for (const extra of [{}, { details: true }])
      expect((await frame(id, says, extra)).body["frame_result"]).not.toHaveProperty("details");
    const { body } = await frame(id, says, { details: true });
    expect((body["prediction"] as Record<string, unknown>)["details"]).toMatchObject({
      vhs_interval: { coverage: 0.8 },
      vlas_interval: null,
      review_reasons: expect.any(Array) as unknown,
    });
    expect((await frame(id, says)).body).toEqual(body);
  });
  it("counts a frame received in time, regardless of how long the previous one took", async () => {
    const id = await start();
    later(299);
    service.script.measurePhotograph = async () => {
      const isTaken = () => service.context.queue.size === 2 || service.clock.at.getTime() > overAt;
      await waitUntil(isTaken);
      later(3);
      return good;
    };
    const overAt = service.clock.at.getTime() + 1000;
    const send = () => service.post("/v3/pop-session", { image, session_id: id });
    const answers = await Promise.all([send(), send()]);
    expect(service.clock.at.getTime()).toBeGreaterThan(overAt);
    expect(answers.map(({ body }) => body["session_status"])).toEqual(["continue", "continue"]);
  });
});

describe("an ended session", () => {
  it("repeats its response for 300 s, even if it ended late", async () => {
    const [complete, timedOut] = [await start(), await start()];
    for (let count = 0; count < 2; count += 1) await frame(complete);
    later(299);
    service.script.measurePhotograph = async () => {
      later(41);
      return good;
    };
    const answers = [
      await service.post("/v3/pop-session", { image, session_id: complete }),
      await frame(timedOut, unrectifiedFrame),
    ];
    expect(answers.map(({ body }) => body["session_status"])).toEqual(["complete", "failed"]);
    expect((await keptRows(complete, timedOut))[0]).toEqual({ n: 0 });
    const again = async () => {
      await purgePopSessions(service.context);
      return [await frame(complete), await frame(timedOut)];
    };
    later(299);
    expect((await again()).map(({ body }) => body)).toEqual(answers.map(({ body }) => body));
    later(1);
    expect((await again()).map(({ status }) => status)).toEqual([404, 404]);
    expect(await keptRows(complete, timedOut)).toEqual([{ n: 0 }, { n: 0 }]);
  });
  it("returns the same response before and after the cleanup", async () => {
    const ids = [await start(), await start()];
    later(599);
    await purgePopSessions(service.context);
    expect((await frame(ids[0] ?? "")).body).toMatchObject({ error: "session_timeout" });
    later(1);
    expect(await frame(ids[1] ?? "")).toMatchObject({ status: 404 });
    await purgePopSessions(service.context);
    expect(await frame(ids[1] ?? "")).toMatchObject({ status: 404 });
    expect((await frame(ids[0] ?? "")).body).toMatchObject({ error: "session_timeout" });
  });
});

describe("concurrent frames", () => {
  it("are processed sequentially, with one charge", async () => {
    const id = await start();
    const answers = await Promise.all(Array.from({ length: 6 }, () => frame(id)));
    expect(answers.map(({ body }) => String(body["session_status"])).sort()).toEqual([
      ...Array<string>(4).fill("complete"),
      ...Array<string>(2).fill("continue"),
    ]);
    expect(await charges(id)).toEqual(oneSession);
  });
});

describe("faults", () => {
  it("rejects a frame that is no image with 400 and does not count it", async () => {
    const id = await start();
    const answer = await service.post("/v3/pop-session", {
      image: Buffer.from("text").toString("base64"),
      session_id: id,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: "Image must be JPEG or PNG" } });
    expect((await frame(id, poor)).body).toMatchObject({ frame_index: 0, frames_processed: 1 });
  });
  it("rejects frames beyond the bounded queue with 429 and Retry-After, and does not count them", async () => {
    const small = await openScriptedService({ queueLimit: 3 });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    small.script.measurePhotograph = async () => held.then(() => good);
    const {
      body: { session_id },
    } = await small.post("/v3/pop-session/start", {});
    const answers: ScriptedAnswer[] = [];
    const sent = Array.from({ length: 8 }, async () =>
      answers.push(await small.post("/v3/pop-session", { image, session_id })),
    );
    // The order of concurrent frames is unspecified.
    await waitUntil(() => answers.length === 5);
    expect(answers.map(({ status, headers }) => [status, Number(headers["retry-after"]) > 0])).toEqual(
      Array(5).fill([429, true]),
    );
    release();
    await Promise.all(sent);
    const taken = answers.slice(5).map(({ body }) => body["session_status"]);
    expect(taken.sort()).toEqual(["complete", "continue", "continue"]);
    expect(small.context.queue.size).toBe(0);
    await small.close();
  });
  it("charges an undelivered response once it is fetched, and reverses the charge of one never fetched", async () => {
    const complete = async () => {
      const id = await start();
      await frame(id);
      await frame(id);
      await frame(id);
      return id;
    };
    const fetched = await complete();
    const lost = await complete();
    await expect.poll(() => listUndelivered(service.context.db)).toEqual([]);
    // As if the program had been killed before writing either response.
    await raw(
      `INSERT INTO undelivered_charges (call_id, seq, answer_until_ms) SELECT call_id, seq, at_ms + 300000 FROM ledger WHERE call_id IN ('${fetched}', '${lost}')`,
    );
    await withdrawLostCharges(service.context, { isStart: true });
    expect(await charges(fetched, lost)).toHaveLength(2);
    await frame(fetched);
    await expect.poll(async () => (await listUndelivered(service.context.db)).length).toBe(1);
    later(300);
    await withdrawLostCharges(service.context, { isStart: false });
    expect((await charges(fetched, lost)).map(({ kind }) => kind).sort()).toEqual(["charge", "charge", "reversal"]);
    expect(lost).not.toBe(fetched);
  });
});
