import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { scoreHeart } from "../../core/cardiac/heart-score.ts";
import { landmarkNames } from "../../core/cardiac/landmarks.ts";
import type { Point } from "../../core/cardiac/points.ts";
import type { MeasuredRadiograph } from "../../core/cardiac/radiograph-measurement.ts";
import { squareAxes } from "../../core/cardiac/silhouette/square-axes.ts";
import type { PopFrame } from "../../main/inference/engine-types.ts";
import { purgePopSessions } from "../../main/services/calls/pop-session.ts";
import type { ServiceContext } from "../../main/services/measuring/service-context.ts";
import { makeBackup } from "../../main/store/backups/backups.ts";
import { listLedgerEvents } from "../../main/store/ledger/ledger-reports.ts";
import { plainImage, fixtureImage, fixtureNames } from "../main/server/service/sample-images.ts";
import { popFrame, popMeasured, unrectifiedFrame } from "../fixtures/pop-frames.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { isForeign, needsPop, useServiceUnderTest, type Answer } from "./service/service-under-test.ts";
import { rawly } from "../fixtures/raw-store.ts";
import { filesBelow } from "../fixtures/folders.ts";
import { movedHeart } from "../fixtures/heart-at.ts";
import { filmOfSession as film } from "../fixtures/truth.ts";

const sessionFrames = fixtureNames("session");
/** Within half a vertebra of the truth, since photographs are less accurate than films. */
const near = (value: number) => expect.closeTo(value, 0) as unknown;
const base64Jpeg = expect.stringMatching(/^\/9j\/[A-Za-z0-9+/]+=*$/) as unknown;
const base64Png = expect.stringMatching(/^iVBORw0KGgo[A-Za-z0-9+/]+=*$/) as unknown;
/** Another implementation may define high sharpness differently and have earlier calls in the month. */
const [resultCode, tier, volumeTier] = isForeign
  ? ([expect.any(Number), expect.stringMatching(/^(optimal|good)$/), expect.any(String)] as unknown[])
  : [1, "optimal", "paygo"];

/**
 * Expected position of a landmark on the film, within a twentieth of its sides. The short axis may shift along the
 * heart, and B depends on the long axis.
 */
function placeOf(name: (typeof landmarkNames)[number]): { x: unknown; y: unknown } {
  const isFixed = name === "heart_top" || name === "heart_bottom" || name === "VLAS";
  const [x, y] = (isFixed && film.landmarks[name]) || [];
  if (x === undefined || y === undefined) return { x: expect.any(Number), y: expect.any(Number) };
  return { x: expect.closeTo(x / film.width, 1), y: expect.closeTo(y / film.height, 1) };
}

const image = await plainImage();

/** A photograph of the whole film, with scores computed from its points. */
const uncropped: MeasuredRadiograph = {
  ...popMeasured,
  landmarks: { ...popMeasured.landmarks, ...squareAxes(popMeasured.landmarks) },
};

function croppedFrame({ x, y, size }: { x: number; y: number; size: number }): PopFrame {
  const whole = uncropped;
  const move = (point: Point): Point => ({
    x: ((point.x + 0.5) / whole.widthPx - x) * (whole.widthPx / size) - 0.5,
    y: ((point.y + 0.5) / whole.heightPx - y) * (whole.heightPx / size) - 0.5,
  });
  const landmarks = movedHeart(whole.landmarks, move);
  const edges = whole.edges.map(move);
  const ruler = { ...whole.ruler, edges: whole.ruler.edges.map(move) };
  const measurement = { ...whole, landmarks, edges, ruler, score: scoreHeart(landmarks, ruler), sharpness: size };
  return popFrame(measurement, 1, (place) => ({ x: x + place.x * size, y: y + place.y * size }));
}

/** Bytes from the middle of a picture, since headers are not unique. */
const middleOf = (bytes: Buffer) => bytes.subarray(bytes.length >> 1, (bytes.length >> 1) + 48);

const filesWith = (folder: string, bytes: Buffer) =>
  filesBelow(folder).filter((file) => readFileSync(file).includes(bytes));

function pictureOnDisk({ db, dataDir }: ServiceContext) {
  let film: Buffer = Buffer.alloc(0);
  return {
    async isThere() {
      const [kept] = await rawly(db, "SELECT film FROM pop_session_frames WHERE film IS NOT NULL");
      film = kept?.["film"] as Buffer;
      expect(filesWith(dataDir, middleOf(film))).not.toEqual([]);
      const backup = await makeBackup(db, dataDir, new Date());
      expect(readFileSync(backup.path).includes(middleOf(film))).toBe(false);
    },
    isGone(rectified: unknown) {
      expect(filesWith(dataDir, middleOf(film))).toEqual([]);
      expect(filesWith(dataDir, middleOf(Buffer.from(String(rectified))))).toEqual([]);
    },
  };
}

// The tests run in order: the completed session must be the first charge.
describe("3 States and transitions, on the running service", { shuffle: false }, () => {
  const service = useServiceUnderTest();
  const start = async () => String((await service.post("/v3/pop-session/start", {})).body["session_id"]);

  it("(none) to ready: always, with a session_id, without billing", async () => {
    const { status, body } = await service.post("/v3/pop-session/start", {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ session_status: "ready", pop_pipeline_enabled: service.isPopEnabled });
    expect(body).not.toHaveProperty("billing");
  });
  it("active to complete: three photographs of one screen return its film with a single charge", async (context) => {
    needsPop(service)(context);
    const id = await start();
    const uuid = `session-${id}`;
    const answers: Answer[] = [];
    const own = service.own && pictureOnDisk(service.own.corvet.context);
    for (const name of sessionFrames) {
      answers.push(await service.post("/v3/pop-session", { image: fixtureImage(name), session_id: id, uuid }));
      if (answers.length === 2) await own?.isThere();
    }
    const goodFrame = {
      vhs: near(film.vhs),
      vlas: near(film.vlas),
      spread: null,
      model_confidence: tier,
      landmarks_detected: true,
      pop_detected: true,
    };
    expect(answers.map(({ body }) => body)).toEqual([
      { session_id: id, session_status: "continue", good_frames: 1, frame_result: goodFrame },
      { session_id: id, session_status: "continue", good_frames: 2, frame_result: goodFrame },
      {
        session_id: id,
        session_status: "complete",
        frame_index: 2,
        rectified_image: base64Jpeg,
        prediction: {
          vhs: near(film.vhs),
          vlas: near(film.vlas),
          prediction: landmarkNames.map((name) => ({ ...placeOf(name), class: name })),
          result_code: resultCode,
          result_description: expect.stringContaining("VHS and VLAS predicted"),
          model_confidence: tier,
          spread: null,
          model_version: expect.any(String),
          rendered_image: base64Png,
        },
        billing: {
          billable: true,
          reason: "valid_vhs",
          call_type: "session",
          monthly_usage: isForeign ? expect.any(Number) : 1,
          tier: volumeTier,
          rate: expect.any(Number),
        },
      },
    ]);
    expect((await service.post("/v3/pop-session", { image: await plainImage(), session_id: id })).body).toEqual(
      answers[2]?.body,
    );
    if (!service.own || !own) return;
    const { context: program } = service.own.corvet;
    expect(await listLedgerEvents(program.db, {})).toMatchObject([
      { kind: "charge", callId: id, callType: "session", uuid, amountCents: 400 },
    ]);
    expect(await rawly(program.db, "SELECT 1 AS kept FROM pop_session_frames")).toEqual([]);
    service.own.clock.offsetMs += 300_000;
    await purgePopSessions(program);
    own.isGone(answers[2]?.body["rectified_image"]);
    expect(await service.post("/v3/pop-session", { image, session_id: id })).toMatchObject({
      status: 404,
      body: { error: "Session not found" },
    });
  });
  it("active to continue, then to failed: after five unusable pictures", async (context) => {
    needsPop(service)(context);
    const id = await start();
    const send = async (image: string) => service.post("/v3/pop-session", { image, session_id: id });
    const withoutScreen = await plainImage(400, 300);
    const negative = fixtureImage(fixtureNames("negatives")[0] ?? "");
    const answers: Answer[] = [];
    for (const image of [withoutScreen, negative, withoutScreen, withoutScreen, withoutScreen])
      answers.push(await send(image));
    const continued = (index: number) => ({
      session_id: id,
      session_status: "continue",
      reason: "0/3 good frames",
      frame_index: index,
      frames_processed: index + 1,
      good_frames: 0,
      result_code: index === 1 ? 6 : expect.toSatisfy((code) => [6, 7].includes(code)),
      result_description: index === 1 ? "Image rejected, not a valid radiograph" : expect.any(String),
      frame_result: {
        vhs: null,
        vlas: null,
        spread: null,
        model_confidence: "review",
        landmarks_detected: false,
        pop_detected: false,
      },
      model_version: expect.any(String),
    });
    expect(answers.slice(0, 4).map(({ body }) => body)).toEqual([0, 1, 2, 3].map(continued));
    expect(answers[4]?.body).toMatchObject({
      session_status: "failed",
      error: "max_consecutive_failures",
      frame_index: 4,
      billing: { billable: false },
    });
    expect((await send(fixtureImage(sessionFrames[0] ?? ""))).body).toEqual(answers[4]?.body);
  });
});

describeScripted("3 States and transitions, every row", (service) => {
  const start = async () => String((await service.post("/v3/pop-session/start", {})).body["session_id"]);
  const frames = async (id: string, count: number) => {
    const bodies = [];
    for (let index = 0; index < count; index += 1)
      bodies.push((await service.post("/v3/pop-session", { image, session_id: id, uuid: "patient-1" })).body);
    return bodies;
  };
  const completed = async (answers: readonly PopFrame[]) => {
    const next = [...answers];
    service.script.measurePhotograph = async () => next.shift() ?? unrectifiedFrame;
    return (await frames(await start(), 3)).at(-1)?.["prediction"] as Record<string, unknown>;
  };
  const usage = async () => (await rawly(service.context.db, "SELECT count(*) AS charges FROM ledger"))[0];
  it("(none) to ready: even without the PoP networks", async () => {
    service.script.health = { ...service.script.health, isPopEnabled: false, popModelsLoaded: 0 };
    expect((await service.post("/v3/pop-session/start", {})).body).toMatchObject({
      session_status: "ready",
      pop_pipeline_enabled: false,
      pop_models_loaded: 0,
    });
    expect(await usage()).toEqual({ charges: 0 });
  });
  it("decision PoP sessions: a good frame is rectified, of valid geometry, and of tier optimal or good", async () => {
    const { score } = popMeasured;
    const judged: readonly (readonly [PopFrame, number])[] = [
      [popFrame(), 1],
      [popFrame({ ...popMeasured, resultCode: 2, tier: "good" }), 1],
      [popFrame({ ...popMeasured, resultCode: 3, tier: "review" }), 0],
      [popFrame({ ...popMeasured, score: { ...score, isGeometryValid: false } }), 0],
      [unrectifiedFrame, 0],
    ];
    for (const [frame, good] of judged) {
      service.script.measurePhotograph = async () => frame;
      expect((await frames(await start(), 1))[0]).toMatchObject({ good_frames: good });
    }
  });
  it("decision PoP sessions: the median is computed on one film, independent of each photograph's crop", async () => {
    const crops = [
      { x: 0, y: 0, size: 1 },
      { x: 0.08, y: 0.05, size: 0.84 },
      { x: 0.03, y: 0.1, size: 0.9 },
    ];
    const { vhs, prediction } = await completed(crops.map(croppedFrame));
    const whole = uncropped;
    expect(vhs).toBeCloseTo(scoreHeart(whole.landmarks, whole.ruler).vhs ?? NaN, 1);
    for (const { x, y, class: name } of prediction as { class: keyof typeof whole.landmarks; x: number; y: number }[]) {
      expect(Math.abs(x - whole.landmarks[name].x / whole.widthPx), name).toBeLessThan(0.005);
      expect(Math.abs(y - whole.landmarks[name].y / whole.heightPx), name).toBeLessThan(0.005);
    }
  });
  it("section 7: a request with an invalid field does not count as a frame, even after the end", async () => {
    const id = await start();
    await frames(id, 3);
    expect(await service.post("/v3/pop-session", { image: "!!!!", session_id: id })).toMatchObject({
      status: 400,
      body: { error: "Invalid base64 image: image" },
    });
    const undecodable = Buffer.from("no image").toString("base64");
    const repeated = await service.post("/v3/pop-session", { image: undecodable, session_id: id });
    expect(repeated).toMatchObject({ status: 200, body: { session_status: "complete" } });
  });
  it("decision PoP sessions: timeout precedes the frame limit, which precedes consecutive failures", async () => {
    service.script.measurePhotograph = async () => unrectifiedFrame;
    const atItsEnd = async (): Promise<string> => {
      const id = await start();
      const end = "frames_processed = 19, consecutive_failures = 4";
      await rawly(service.context.db, `UPDATE pop_sessions SET ${end} WHERE id = '${id}'`);
      return id;
    };
    const [early, late] = [await atItsEnd(), await atItsEnd()];
    const [first] = await frames(early, 1);
    service.clock.at = new Date(service.clock.at.getTime() + 300_001);
    const [second] = await frames(late, 1);
    expect([first?.["error"], second?.["error"]]).toEqual(["max_frames_exceeded", "session_timeout"]);
  });
  it("decision PoP sessions: a session continues after a restart of the program", async () => {
    const id = await start();
    await frames(id, 2);
    const restarted = service.restart();
    const answer = await restarted.inject({
      method: "POST",
      url: "/v3/pop-session",
      headers: { "x-api-key": service.key },
      payload: { image, session_id: id },
    });
    await restarted.close();
    expect(answer.json()).toMatchObject({ session_status: "complete", frame_index: 2, billing: { billable: true } });
    expect(await usage()).toEqual({ charges: 1 });
  });
  it("a completed session of a patient billed within 24 h is free (billing rule 3)", async () => {
    await frames(await start(), 3);
    expect((await frames(await start(), 3))[2]).toMatchObject({
      session_status: "complete",
      billing: { billable: false, reason: "recheck_24h" },
    });
    expect(await usage()).toEqual({ charges: 1 });
  });
  it("decision PoP sessions: another key gets 404", async () => {
    const answer = await service.post(
      "/v3/pop-session",
      { image, session_id: await start() },
      { "x-api-key": service.foreignKey },
    );
    expect(answer).toMatchObject({ status: 404, body: { error: "Session not found" } });
  });
});
