import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext } from "vitest";
import { plainImage, fixtureImage, fixtureNames } from "../main/server/sample-images.ts";
import { openScriptedService, popFrame, unrectifiedFrame, type ScriptedService } from "../main/server/scripted-service.ts";
import { isForeign, openServiceUnderTest, ownOnly, type Answer, type ServiceUnderTest } from "./service-under-test.ts";

const screens = fixtureNames("screens");

describe("3 States and transitions, on the running service", () => {
  let service: ServiceUnderTest;
  let isPopEnabled: boolean;
  beforeAll(async () => {
    service = await openServiceUnderTest();
    isPopEnabled = (await service.call("GET", "/v3/health")).body["pop_pipeline_enabled"] === true;
  });
  afterAll(() => service.close());
  const start = async () => String((await service.post("/v3/pop-session/start", {})).body["session_id"]);
  const needsPop = ({ skip }: TestContext) => skip(!isPopEnabled, "the PoP networks are not loaded");

  it("(none) to ready: always, with a session_id and without billing", async () => {
    const { status, body } = await service.post("/v3/pop-session/start", {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ session_status: "ready", pop_pipeline_enabled: isPopEnabled });
    expect(body).not.toHaveProperty("billing");
  });
  it("decision PoP sessions: an unknown id is 404", async () => {
    expect(await service.post("/v3/pop-session", { image: await plainImage(), session_id: "unknown" })).toMatchObject({ status: 404, body: { error: "Session not found" } });
  });
  it("active to continue: a frame of no sufficient quality has its details and no billing", async (context) => {
    needsPop(context);
    const id = await start();
    const { body } = await service.post("/v3/pop-session", { image: await plainImage(400, 300), session_id: id });
    expect(body).toMatchObject({ session_status: "continue", reason: "0/3 good frames", frame_index: 0, frames_processed: 1, good_frames: 0, result_code: 7 });
    expect(body).not.toHaveProperty("billing");
  });
  it("active to complete: three good frames of one screen, with its film and one session-rate charge", { timeout: 120_000 }, async (context) => {
    needsPop(context);
    for (const screen of screens) {
      const id = await start();
      const send = () => service.post("/v3/pop-session", { image: fixtureImage(screen), session_id: id, uuid: `screen-${screen}` });
      const first = await send();
      if ("reason" in first.body) continue;
      expect(first.body).toMatchObject({ session_status: "continue", good_frames: 1, frame_result: { spread: null, landmarks_detected: true, pop_detected: true } });
      await send();
      const { body } = await send();
      expect(body).toMatchObject({ session_status: "complete", frame_index: 2, billing: { billable: true, call_type: "session" } });
      const { vhs } = body["prediction"] as { vhs: number };
      expect(vhs).toBe((first.body["frame_result"] as { vhs: number }).vhs);
      return;
    }
    throw new Error("no photograph of test/fixtures/screens gives a good frame");
  });
  it("active to failed: the fifth picture without a screen ends the session, and the answer is replayed", { timeout: 120_000 }, async (context) => {
    needsPop(context);
    const id = await start();
    const send = async (image: string) => service.post("/v3/pop-session", { image, session_id: id });
    const answers: Answer[] = [];
    for (let index = 0; index < 5; index += 1) answers.push(await send(await plainImage(400, 300)));
    expect(answers.map(({ body }) => body["session_status"])).toEqual(["continue", "continue", "continue", "continue", "failed"]);
    expect(answers[4]?.body).toMatchObject({ error: "max_consecutive_failures", frame_index: 4, billing: { billable: false } });
    expect((await send(fixtureImage(screens[0] ?? ""))).body).toEqual(answers[4]?.body);
  });
});

describe.skipIf(isForeign)(`3 States and transitions, every row (${ownOnly})`, () => {
  let service: ScriptedService;
  let image: string;
  beforeEach(async () => {
    service = await openScriptedService();
    image = await plainImage();
  });
  afterEach(() => service.close());
  const start = async () => String((await service.post("/v3/pop-session/start", {})).body["session_id"]);
  const frames = async (id: string, count: number) => {
    const bodies = [];
    for (let index = 0; index < count; index += 1) bodies.push((await service.post("/v3/pop-session", { image, session_id: id, uuid: "patient-1" })).body);
    return bodies;
  };
  const usage = () => service.context.db.prepare("SELECT count(*) AS charges FROM ledger").get();

  it("active to continue: frame quality insufficient", async () => {
    service.script.measurePhotograph = async () => unrectifiedFrame;
    const [body] = await frames(await start(), 1);
    expect(body).toMatchObject({ session_status: "continue", frame_result: { vhs: null, vlas: null, spread: null, model_confidence: "review", landmarks_detected: false, pop_detected: false } });
    expect(usage()).toEqual({ charges: 0 });
  });
  it("active to complete: frame quality sufficient (decision PoP sessions: 3 good frames), one session-rate charge", async () => {
    const bodies = await frames(await start(), 3);
    expect(bodies.map((body) => body["session_status"])).toEqual(["continue", "continue", "complete"]);
    expect(bodies[2]).toMatchObject({ rectified_image: expect.any(String), billing: { billable: true, call_type: "session", rate: 4 } });
    expect(usage()).toEqual({ charges: 1 });
  });
  it("the nested result code is that of 2.7, never 0 (decision PoP sessions)", async () => {
    const bodies = await frames(await start(), 3);
    expect([1, 2, 3, 4]).toContain((bodies[2]?.["prediction"] as { result_code: number }).result_code);
  });
  it("active to failed: frame count reaches max_frames", async () => {
    const id = await start();
    service.context.db.prepare("UPDATE pop_sessions SET frames_processed = 19").run();
    service.script.measurePhotograph = async () => unrectifiedFrame;
    expect((await frames(id, 1))[0]).toMatchObject({ session_status: "failed", error: "max_frames_exceeded", billing: { billable: false } });
    expect(usage()).toEqual({ charges: 0 });
  });
  it("active to failed: session exceeds session_ttl_seconds", async () => {
    const id = await start();
    service.clock.at = new Date(service.clock.at.getTime() + 300_001);
    expect((await frames(id, 1))[0]).toMatchObject({ session_status: "failed", error: "session_timeout", billing: { billable: false } });
    expect(usage()).toEqual({ charges: 0 });
  });
  it("decision PoP sessions: five failed frames in a row", async () => {
    service.script.measurePhotograph = async () => unrectifiedFrame;
    const bodies = await frames(await start(), 5);
    expect(bodies.map((body) => body["session_status"])).toEqual(["continue", "continue", "continue", "continue", "failed"]);
    expect(bodies[4]).toMatchObject({ error: "max_consecutive_failures", billing: { billable: false } });
  });
  it("decision PoP sessions: after the end the same answer, never billed twice", async () => {
    const bodies = await frames(await start(), 5);
    expect([bodies[3], bodies[4]]).toEqual([bodies[2], bodies[2]]);
    expect(usage()).toEqual({ charges: 1 });
  });
  it("decision PoP sessions: another key gets 404", async () => {
    const answer = await service.post("/v3/pop-session", { image, session_id: await start() }, { "x-api-key": service.foreignKey });
    expect(answer).toMatchObject({ status: 404, body: { error: "Session not found" } });
  });
  it("4 complete: the fields of the answer", async () => {
    service.script.measurePhotograph = async () => popFrame();
    const bodies = await frames(await start(), 3);
    expect(Object.keys(bodies[2] ?? {}).sort()).toEqual(["billing", "frame_index", "prediction", "rectified_image", "session_id", "session_status"]);
    expect(Object.keys(bodies[2]?.["prediction"] as object).sort()).toEqual([
      "model_confidence", "model_version", "prediction", "rendered_image", "result_code", "result_description", "spread", "vhs", "vlas",
    ]);
  });
});
