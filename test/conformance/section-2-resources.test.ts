import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tierOfSharpness, tierOfSpread } from "../../core/cardiac/confidence.ts";
import { isBillable, resultDescriptions, type ResultCode } from "../../core/cardiac/result-codes.ts";
import type { RadiographMeasurement } from "../../core/cardiac/radiograph-measurement.ts";
import { measured, measuredAt, rejected, unmeasured } from "../main/store/sample-store.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/sample-images.ts";
import { openScriptedService, popMeasured, unrectified, type ScriptedService } from "../main/server/scripted-service.ts";
import { isForeign, openServiceUnderTest, ownOnly, type Answer, type ServiceUnderTest } from "./service-under-test.ts";

let service: ServiceUnderTest;
let single: Answer;
let rejection: Answer;
let batch: Answer;
let repeat: Answer;

const films = fixtureNames("films").filter((name) => name.includes("dog-0"));
const negative = fixtureNames("negatives")[0] ?? "";

beforeAll(async () => {
  service = await openServiceUnderTest();
  const image = fixtureImage(films[0] ?? "");
  single = await service.post("/v3/predict", { image, uuid: "conformance-1", render: true });
  repeat = await service.post("/v3/predict", { image, uuid: "conformance-1" });
  rejection = await service.post("/v3/predict", { image: fixtureImage(negative) });
  batch = await service.post("/v3/predict", { images: [films[0] ?? "", negative, films[1] ?? ""].map(fixtureImage), uuid: "conformance-2" });
});
afterAll(() => service.close());

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isNumberOrNull = (value: unknown) => value === null || isNumber(value);
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isFlag = (value: unknown) => typeof value === "boolean";
const isTier = (value: unknown) => ["optimal", "good", "review"].includes(value as string);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isHistory = (value: unknown) => value === null || (Array.isArray(value) && value.every(([date, score]) => isText(date) && isNumber(score)));
const isPng = (value: unknown) => typeof value === "string" && Buffer.from(value, "base64").subarray(1, 4).toString() === "PNG";
type Row = readonly [field: string, holds: (value: unknown) => boolean];
type Prediction = { x: number; y: number; class: string }[];

describe("2.1 Landmark", () => {
  const landmarks = () => single.body["prediction"] as Prediction;
  it.each<Row>([["x", isNumber], ["y", isNumber], ["class", isText]])("%s", (field, holds) => {
    expect(landmarks().every((landmark) => holds(landmark[field as "x"]))).toBe(true);
  });
  it("coordinates lie between 0.0 and 1.0", () => {
    expect(landmarks().every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
  });
  it.each(["heart_top", "heart_bottom", "heart_right", "heart_left", "VLAS", "Vertebra A", "Vertebra B"])("class %s, once", (name) => {
    expect(landmarks().filter((landmark) => landmark.class === name)).toHaveLength(1);
  });
  it("exactly 7", () => expect(landmarks()).toHaveLength(7));
});

describe("2.2 Single-image result", () => {
  const rows: Row[] = [
    ["vhs", isNumber], ["vlas", isNumber], ["prediction", Array.isArray], ["result_code", isCount], ["result_description", isText], ["model_confidence", isTier],
    ["spread", isNumberOrNull], ["pop_detected", isFlag], ["model_version", isText], ["rendered_image", isPng], ["historic_vhs", isHistory], ["historic_vlas", isHistory],
    ["billing", (value) => typeof value === "object"],
  ];
  it.each(rows)("%s", (field, holds) => expect(holds(single.body[field]), JSON.stringify(single.body[field])).toBe(true));
  it("no other field", () => expect(Object.keys(single.body).sort()).toEqual(rows.map(([field]) => field).sort()));
  it("rendered_image only when render is true", () => expect(repeat.body).not.toHaveProperty("rendered_image"));
  it("historic_vhs is an empty array when the uuid has no history", () => expect(single.body["historic_vhs"]).toEqual([]));
  it("historic_vhs has the earlier value", () => expect((repeat.body["historic_vhs"] as unknown[][])[0]?.[1]).toBe(single.body["vhs"]));
  it("historic_vlas has the earlier value", () => expect((repeat.body["historic_vlas"] as unknown[][])[0]?.[1]).toBe(single.body["vlas"]));
  it("decision Measurement: history is null without a uuid", async () => {
    expect(await service.post("/v3/predict", { image: fixtureImage(films[0] ?? "") })).toMatchObject({ body: { historic_vhs: null, historic_vlas: null } });
  });
  it("decision Measurement: scores have two decimals, spread six", () => {
    expect(["vhs", "vlas"].map((field) => Math.round((single.body[field] as number) * 100) / 100)).toEqual([single.body["vhs"], single.body["vlas"]]);
    expect(Math.round((single.body["spread"] as number) * 1e6) / 1e6).toBe(single.body["spread"]);
  });
});

describe("2.3 Rejection result", () => {
  it.each<Row>([
    ["classifier_confidence", isNumber], ["model_version", isText], ["rejected", (value) => value === true], ["rejection_reason", (value) => value === "not_a_valid_radiograph"],
    ["result_code", (value) => value === 6], ["result_description", isText], ["vhs", (value) => value === null], ["vlas", (value) => value === null],
  ])("%s", (field, holds) => expect(holds(rejection.body[field])).toBe(true));
  it("billing is non-billable", () => expect(rejection.body["billing"]).toMatchObject({ billable: false, reason: "no_valid_vhs" }));
  it.each(["prediction", "model_confidence", "spread", "pop_detected", "rendered_image", "historic_vhs", "historic_vlas"])("%s is absent", (field) => {
    expect(rejection.body).not.toHaveProperty(field);
  });
});

describe("2.4 Batch result", () => {
  it.each<Row>([
    ["vhs", isNumberOrNull], ["vlas", isNumberOrNull], ["best_photo_index", isCount], ["best_vhs", isNumber], ["best_vlas", isNumber], ["median_vhs", isNumber], ["median_vlas", isNumber],
    ["vhs_std", isNumberOrNull], ["vlas_std", isNumberOrNull], ["vhs_confidence", isTier], ["vlas_confidence", isTier], ["n_photos_processed", (value) => value === 3],
    ["n_photos_with_landmarks", (value) => value === 2], ["processing_started", (value) => value === true], ["per_photo", (value) => (value as unknown[]).length === 3],
    ["historic_vhs", isHistory], ["historic_vlas", isHistory], ["model_version", isText],
  ])("%s", (field, holds) => expect(holds(batch.body[field]), JSON.stringify(batch.body[field])).toBe(true));
  it("billing: call_type is session", () => expect(batch.body["billing"]).toMatchObject({ billable: true, call_type: "session" }));
  it("vhs is best_vhs and vlas is best_vlas (decision Batch)", () => expect([batch.body["vhs"], batch.body["vlas"]]).toEqual([batch.body["best_vhs"], batch.body["best_vlas"]]));

  const photos = () => batch.body["per_photo"] as Record<string, unknown>[];
  it.each<Row>([
    ["vhs", isNumberOrNull], ["vlas", isNumberOrNull], ["spread", isNumberOrNull], ["model_confidence", isTier], ["landmarks_detected", isFlag], ["axes_perpendicular", isFlag],
  ])("per_photo %s", (field, holds) => expect(photos().every((photo) => holds(photo[field]))).toBe(true));
  it("per_photo pop_detected on successful frames only", () => expect(photos().map((photo) => "pop_detected" in photo)).toEqual([true, false, true]));
  it.each<Row>([["rejected", (value) => value === true], ["rejection_reason", (value) => value === "not_a_valid_radiograph"], ["classifier_confidence", isNumber]])(
    "per_photo %s on rejected images only", (field, holds) => {
      expect(photos().map((photo) => field in photo)).toEqual([false, true, false]);
      expect(holds(photos()[1]?.[field])).toBe(true);
    },
  );
  it("decision Batch: an item that cannot be decoded says so and spoils nothing", async () => {
    const { body } = await service.post("/v3/predict", { images: [Buffer.from("text").toString("base64"), fixtureImage(films[0] ?? "")] });
    expect(body).toMatchObject({ best_photo_index: 1, per_photo: [{ landmarks_detected: false, rejected: true, rejection_reason: "Image must be JPEG or PNG" }, { landmarks_detected: true }] });
  });
  it("decision Batch: the best photo has the best tier", () => {
    const tiers = photos().map((photo) => (photo["landmarks_detected"] ? ["optimal", "good", "review"].indexOf(String(photo["model_confidence"])) : 9));
    expect(tiers[batch.body["best_photo_index"] as number]).toBe(Math.min(...tiers));
  });
});

describe("2.5 PoP session objects", () => {
  it.each([["max_frames", 20], ["max_consecutive_failures", 5], ["session_ttl_seconds", 300]])("session_config %s is %i", async (field, value) => {
    const { body } = await service.post("/v3/pop-session/start", {});
    expect((body["session_config"] as Record<string, unknown>)[field]).toBe(value);
  });
});

describe("2.6 Billing object", () => {
  it.each<Row>([
    ["billable", (value) => value === true], ["reason", (value) => value === "valid_vhs"], ["call_type", (value) => value === "single"], ["monthly_usage", isCount],
    ["tier", (value) => ["paygo", "starter", "professional", "enterprise"].includes(value as string)], ["rate", isNumber],
  ])("%s", (field, holds) => expect(holds((single.body["billing"] as Record<string, unknown>)[field])).toBe(true));
  it("non-billable shape", () => expect(Object.keys(rejection.body["billing"] as object).sort()).toEqual(["billable", "monthly_usage", "reason", "tier"]));
  it("recheck shape", () => {
    expect(repeat.body["billing"]).toMatchObject({ billable: false, reason: "recheck_24h" });
    expect(Object.keys(repeat.body["billing"] as object).sort()).toEqual(["billable", "monthly_usage", "reason", "tier"]);
  });
});

describe.skipIf(isForeign)(`2.5 to 2.8, rows that no picture brings about at will (${ownOnly})`, () => {
  let scripted: ScriptedService;
  let image: string;
  beforeAll(async () => {
    scripted = await openScriptedService();
    image = await plainImage();
  });
  afterAll(() => scripted.close());
  const predict = async (measurement: RadiographMeasurement) => {
    scripted.script.measure = async () => measurement;
    return (await scripted.post("/v3/predict", { image })).body;
  };

  it("2.6 billing_error when the ledger cannot be written (decision Billing)", async () => {
    scripted.context.db.exec("CREATE TEMP TRIGGER full BEFORE INSERT ON main.ledger BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    expect(await predict(measured)).toMatchObject({ vhs: 10.12, billing: { billable: false, reason: "billing_error" } });
    scripted.context.db.exec("DROP TRIGGER full");
  });
  it.each<[ResultCode, RadiographMeasurement]>([
    [0, { ...unmeasured, resultCode: 0 }], [1, measured], [2, { ...measured, resultCode: 2, tier: "good" }], [3, { ...measured, resultCode: 3, tier: "review" }],
    [4, { ...measuredAt(9, null), resultCode: 4 }], [5, unmeasured], [6, rejected], [7, unrectified],
  ])("2.7 result code %i", async (code, measurement) => {
    expect(await predict(measurement)).toMatchObject({ result_code: code, result_description: resultDescriptions[code], billing: { billable: isBillable(code) } });
  });
  it.each([0, 5, 7] as const)("decision Measurement: code %i has no landmarks, no scores, tier review", async (code) => {
    const body = await predict(code === 7 ? unrectified : { ...unmeasured, resultCode: code });
    expect(body).toMatchObject({ vhs: null, vlas: null, prediction: [], model_confidence: "review" });
  });
  it("2.8 PoP images have no spread", async () => {
    expect(await predict(popMeasured)).toMatchObject({ spread: null, pop_detected: true });
  });
});

describe("2.8 Confidence, the rules", () => {
  const ruler = { kind: "detected", edges: measured.ruler.edges } as const;
  it.each([["optimal", 0.004999], ["good", 0.005], ["good", 0.007999], ["review", 0.008]])("clean: %s at spread %f", (tier, spread) => {
    expect(tierOfSpread(spread, ruler, measured.score)).toBe(tier);
  });
  const score = (change: object) => ({ ...measured.score, ...change });
  it("PoP: optimal with valid geometry and high sharpness", () => expect(tierOfSharpness(0.8, 0.6, ruler, measured.score)).toBe("optimal"));
  it("PoP: good with valid geometry and VHS in valid range", () => expect(tierOfSharpness(0.5, 0.6, ruler, measured.score)).toBe("good"));
  it("PoP: review when the geometry check failed", () => expect(tierOfSharpness(0.8, 0.6, ruler, score({ isGeometryValid: false }))).toBe("review"));
  it("PoP: review when VHS is out of range", () => expect(tierOfSharpness(0.8, 0.6, ruler, score({ vhs: null, isGeometryValid: false }))).toBe("review"));
});

describe("2.8 Confidence", () => {
  const ruleOf = (spread: number) => (spread < 0.005 ? "optimal" : spread < 0.008 ? "good" : "review");
  it.each(films)("clean radiograph %s: the tier follows from spread, or is review for a fallback ruler (decision Measurement)", async (film) => {
    const { body } = await service.post("/v3/predict", { image: fixtureImage(film) });
    expect([ruleOf(body["spread"] as number), "review"]).toContain(body["model_confidence"]);
    if (body["model_confidence"] !== "review") expect(body["result_code"]).toBe(body["model_confidence"] === "optimal" ? 1 : 2);
  });
});
