import { beforeAll, describe, expect, it } from "vitest";
import { fixtureImage, fixtureNames } from "../main/server/service/sample-images.ts";
import {
  fieldsOf,
  isCount,
  isFlag,
  isHistory,
  isNull,
  isNumber,
  isNumberOrNull,
  isObject,
  isOneOf,
  isPng,
  isText,
  isTier,
  keysOf,
  type Row,
} from "./service/fields.ts";
import { needsPop, useServiceUnderTest, type Answer } from "./service/service-under-test.ts";
import { films as truths } from "../fixtures/truth.ts";

const service = useServiceUnderTest();
let single: Answer;
let rejection: Answer;
let batch: Answer;
let repeat: Answer;

const films = fixtureNames("films").filter((name) => name.includes("dog-0"));
const [film = ""] = films.map(fixtureImage);
const truth = truths.find(({ file }) => films[0] === `films/${file}`)!;
const negative = fixtureNames("negatives")[0] ?? "";
/** New patients in every run, so that the suite can run repeatedly against another service. */
const run = Date.now().toString(36);

beforeAll(async () => {
  single = await service.post("/v3/predict", { image: film, uuid: `conformance-1-${run}`, render: true });
  repeat = await service.post("/v3/predict", { image: film, uuid: `conformance-1-${run}` });
  rejection = await service.post("/v3/predict", {
    image: fixtureImage(negative),
    uuid: `conformance-1-${run}`,
    render: true,
  });
  batch = await service.post("/v3/predict", {
    images: [film, fixtureImage(negative), fixtureImage(films[1] ?? "")],
    uuid: `conformance-2-${run}`,
  });
});

type Prediction = { x: number; y: number; class: string }[];

describe("2.1 Landmark", () => {
  const landmarks = () => single.body["prediction"] as Prediction;
  it("has x, y, class and no other field", () =>
    expect(landmarks().map(keysOf)).toEqual(Array(7).fill(["class", "x", "y"])));
  it("coordinates are between 0.0 and 1.0", () => {
    expect(landmarks().every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
  });
  it("there are exactly 7, each class once", () => {
    const classes = ["VLAS", "Vertebra A", "Vertebra B", "heart_bottom", "heart_left", "heart_right", "heart_top"];
    expect(
      landmarks()
        .map((landmark) => landmark.class)
        .sort(),
    ).toEqual(classes);
  });
  it("decision Measurement: heart_right is cranial and heart_left caudal, for either facing direction", async () => {
    const { body } = await service.post("/v3/predict", { image: fixtureImage(films[1] ?? "") });
    const directions = [landmarks(), body["prediction"] as Prediction].map((points) => {
      const xOf = (name: string) => points.find((landmark) => landmark.class === name)?.x ?? NaN;
      // The direction from Vertebra A to Vertebra B is caudal.
      expect((xOf("Vertebra B") - xOf("Vertebra A")) * (xOf("heart_left") - xOf("heart_right"))).toBeGreaterThan(0);
      return Math.sign(xOf("heart_left") - xOf("heart_right"));
    });
    expect(directions).toEqual([1, -1]);
  });
  it.each(["heart_top", "heart_bottom", "VLAS"] as const)(
    "%s matches the phantom within a fiftieth of the longest side",
    (name) => {
      const { x, y } = landmarks().find((landmark) => landmark.class === name) ?? { x: NaN, y: NaN };
      const [trueX, trueY] = truth.landmarks[name];
      expect(Math.hypot(x * truth.width - trueX, y * truth.height - trueY)).toBeLessThan(
        Math.max(truth.width, truth.height) / 50,
      );
    },
  );
});

describe("2.2 Single-image result", () => {
  const rows: Row[] = [
    ["vhs", isNumber],
    ["vlas", isNumber],
    ["prediction", Array.isArray],
    ["result_code", isCount],
    ["result_description", isText],
    ["model_confidence", isTier],
    ["spread", isNumber],
    ["pop_detected", isFlag],
    ["model_version", isText],
    ["rendered_image", isPng],
    ["historic_vhs", isHistory],
    ["historic_vlas", isHistory],
    ["billing", isObject],
  ];
  it.each(rows)("%s", (field, holds) =>
    expect(holds(single.body[field]), JSON.stringify(single.body[field])).toBe(true),
  );
  it("no other field", () => expect(keysOf(single.body)).toEqual(fieldsOf(rows)));
  it("rendered_image only if render is true", () => expect(repeat.body).not.toHaveProperty("rendered_image"));
  it("historic_vhs and historic_vlas are empty arrays if the uuid has no history", () =>
    expect([single.body["historic_vhs"], single.body["historic_vlas"]]).toEqual([[], []]));
  it.each(["vhs", "vlas"])("historic_%s contains the earlier value", (score) =>
    expect((repeat.body[`historic_${score}`] as unknown[][]).map(([, value]) => value)).toEqual([single.body[score]]),
  );
  it("decision Measurement: history is oldest first, without the current call", async () => {
    const { body } = await service.post("/v3/predict", {
      image: fixtureImage(films[1] ?? ""),
      uuid: `conformance-1-${run}`,
    });
    expect((body["historic_vhs"] as unknown[][]).map(([, value]) => value)).toEqual([
      single.body["vhs"],
      repeat.body["vhs"],
    ]);
    const dates = (body["historic_vhs"] as string[][]).map(([date]) => date);
    expect(dates).toEqual([...dates].sort());
  });
  it("decision Measurement: history is null without a uuid", async () => {
    expect(await service.post("/v3/predict", { image: film })).toMatchObject({
      body: { historic_vhs: null, historic_vlas: null },
    });
  });
  it("decision Measurement: scores have two decimals, spread six", () => {
    expect(["vhs", "vlas"].map((field) => Math.round((single.body[field] as number) * 100) / 100)).toEqual([
      single.body["vhs"],
      single.body["vlas"],
    ]);
    expect(Math.round((single.body["spread"] as number) * 1e6) / 1e6).toBe(single.body["spread"]);
  });
  it("spread is null and pop_detected true for a PoP image", async (context) => {
    needsPop(service)(context);
    const { body } = await service.post("/v3/predict", { image: fixtureImage(fixtureNames("session")[0] ?? "") });
    expect(body).toMatchObject({
      spread: null,
      pop_detected: true,
      vhs: expect.any(Number),
      prediction: { length: 7 },
    });
  });
});

describe("2.3 Rejection result", () => {
  const rows: Row[] = [
    ["classifier_confidence", isNumber],
    ["model_version", isText],
    ["rejected", isOneOf(true)],
    ["rejection_reason", isOneOf("not_a_valid_radiograph")],
    ["result_code", isOneOf(6)],
    ["result_description", isText],
    ["vhs", isNull],
    ["vlas", isNull],
    ["billing", isObject],
  ];
  it.each(rows)("%s", (field, holds) => expect(holds(rejection.body[field])).toBe(true));
  it("no other field", () => expect(keysOf(rejection.body)).toEqual(fieldsOf(rows)));
  it("billing is non-billable", () =>
    expect(rejection.body["billing"]).toMatchObject({ billable: false, reason: "no_valid_vhs" }));
});

describe("2.4 Batch result", () => {
  const rows: Row[] = [
    ["vhs", isNumber],
    ["vlas", isNumber],
    ["best_photo_index", isOneOf(0, 2)],
    ["best_vhs", isNumber],
    ["best_vlas", isNumber],
    ["median_vhs", isNumber],
    ["median_vlas", isNumber],
    ["vhs_std", isNumber],
    ["vlas_std", isNumber],
    ["vhs_confidence", isTier],
    ["vlas_confidence", isTier],
    ["n_photos_processed", isOneOf(3)],
    ["n_photos_with_landmarks", isOneOf(2)],
    ["processing_started", isOneOf(true)],
    ["per_photo", (value) => (value as unknown[]).length === 3],
    ["historic_vhs", isHistory],
    ["historic_vlas", isHistory],
    ["model_version", isText],
    ["billing", isObject],
  ];
  it.each(rows)("%s", (field, holds) => expect(holds(batch.body[field]), JSON.stringify(batch.body[field])).toBe(true));
  it("no other field", () => expect(keysOf(batch.body)).toEqual(fieldsOf(rows)));
  it("billing: call_type is session", () =>
    expect(batch.body["billing"]).toMatchObject({ billable: true, call_type: "session" }));
  it.each(["vhs", "vlas"])("%s is the value of the best photo (decision Batch)", (score) => {
    const best = photos()[batch.body["best_photo_index"] as number];
    expect([batch.body[score], batch.body[`best_${score}`]]).toEqual([best?.[score], best?.[score]]);
  });
  it.each(["vhs", "vlas"])(
    "%s has median and sample deviation of the frames with landmarks (decision Batch)",
    (score) => {
      const [one = NaN, other = NaN] = photos().flatMap((photo) =>
        photo["landmarks_detected"] ? [photo[score] as number] : [],
      );
      // Computed from values of two decimals, so the last digit may differ.
      expect(batch.body[`median_${score}`]).toBeCloseTo((one + other) / 2, 1);
      expect(Math.abs((batch.body[`${score}_std`] as number) - Math.abs(one - other) / Math.SQRT2)).toBeLessThan(0.01);
    },
  );
  it("decision Batch: one value has no deviation; without a uuid historic values are empty arrays", async () =>
    expect((await service.post("/v3/predict", { images: [film] })).body).toMatchObject({
      ...{ vhs_std: null, vlas_std: null, median_vhs: single.body["vhs"] },
      ...{ historic_vhs: [], historic_vlas: [] },
    }));
  it("historic values are top-level and from earlier calls", async () => {
    const { body } = await service.post("/v3/predict", { images: [film], uuid: `conformance-2-${run}` });
    expect((body["historic_vhs"] as unknown[][]).map(([, value]) => value)).toEqual([batch.body["vhs"]]);
    expect(JSON.stringify(body["per_photo"])).not.toContain("historic");
  });

  const photos = () => batch.body["per_photo"] as Record<string, unknown>[];
  it.each<Row>([
    ["vhs", isNumberOrNull],
    ["vlas", isNumberOrNull],
    ["spread", isNumberOrNull],
    ["model_confidence", isTier],
    ["landmarks_detected", isFlag],
    ["axes_perpendicular", isFlag],
  ])("per_photo %s", (field, holds) => expect(photos().every((photo) => holds(photo[field]))).toBe(true));
  it("per_photo pop_detected on successful frames only", () =>
    expect(photos().map((photo) => photo["pop_detected"])).toEqual([false, undefined, false]));
  it.each<Row>([
    ["rejected", isOneOf(true)],
    ["rejection_reason", isOneOf("not_a_valid_radiograph")],
    ["classifier_confidence", isNumber],
  ])("per_photo %s on rejected images only", (field, holds) => {
    expect(photos().map((photo) => field in photo)).toEqual([false, true, false]);
    expect(holds(photos()[1]?.[field])).toBe(true);
  });
  it("per_photo: no other field", () => {
    const common = ["axes_perpendicular", "landmarks_detected", "model_confidence", "spread", "vhs", "vlas"];
    const ofRejected = [...common, "classifier_confidence", "rejected", "rejection_reason"].sort();
    const ofMeasured = [...common, "pop_detected"].sort();
    expect(photos().map(keysOf)).toEqual([ofMeasured, ofRejected, ofMeasured]);
  });
  it("decision Batch: only an item that cannot be decoded fails, with the reason", async () => {
    const { body } = await service.post("/v3/predict", { images: [Buffer.from("text").toString("base64"), film] });
    expect(body).toMatchObject({
      best_photo_index: 1,
      per_photo: [
        {
          landmarks_detected: false,
          rejected: true,
          rejection_reason: "Image must be JPEG or PNG",
          classifier_confidence: 1,
        },
        { landmarks_detected: true },
      ],
    });
  });
  it("decision Batch: without a valid VHS every value is null, tiers are review, nothing is billed", async () => {
    const bestAndMedian = ["best_vhs", "best_vlas", "median_vhs", "median_vlas", "vhs_std", "vlas_std"];
    const nothing = ["vhs", "vlas", "best_photo_index", ...bestAndMedian].map((field) => [field, null] as const);
    expect((await service.post("/v3/predict", { images: [fixtureImage(negative)] })).body).toMatchObject({
      ...Object.fromEntries(nothing),
      vhs_confidence: "review",
      vlas_confidence: "review",
      n_photos_processed: 1,
      n_photos_with_landmarks: 0,
      billing: { billable: false, reason: "no_valid_vhs" },
    });
  });
  it("decision Batch: the best photo has the best tier", () => {
    const tiers = photos().map((photo) =>
      photo["landmarks_detected"] ? ["optimal", "good", "review"].indexOf(String(photo["model_confidence"])) : 9,
    );
    expect(tiers[batch.body["best_photo_index"] as number]).toBe(Math.min(...tiers));
  });
});

describe("2.9 Measurements", () => {
  it.each(["vhs", "vlas"] as const)("%s of a phantom is correct within half a vertebra", (score) => {
    expect(Math.abs((single.body[score] as number) - truth[score])).toBeLessThan(0.5);
  });
});
