import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { streamEvents, type StreamEventName } from "../../core/contract/v3/predict.ts";
import { fixtureImage, fixtureNames, plainImage } from "../main/server/service/sample-images.ts";
import { measured } from "../main/store/sample-store.ts";
import {
  fieldsOf,
  isCount,
  isFlag,
  isHistory,
  isNumber,
  isNumberOrNull,
  isObject,
  isOneOf,
  isText,
  isTier,
  keysOf,
  type Row,
} from "./service/fields.ts";
import { readStream, type ReadStream } from "./service/read-stream.ts";
import { describeScripted } from "./service/scripted-rows.ts";
import { itOwn, useServiceUnderTest } from "./service/service-under-test.ts";

const [firstFilm = "", secondFilm = ""] = fixtureNames("films").map(fixtureImage);
const negative = fixtureImage(fixtureNames("negatives")[0] ?? "");
const uuid = `stream-${Date.now()}`;
const service = useServiceUnderTest();
let stream: ReadStream;

beforeAll(async () => {
  await service.post("/v3/predict", { image: firstFilm });
  stream = await readStream(service, {
    images: [firstFilm, negative, Buffer.from("text").toString("base64"), secondFilm],
    uuid,
  });
});

const of = (name: StreamEventName) => stream.events.filter((event) => event.name === name).map(({ data }) => data);
const rows: Readonly<Record<StreamEventName, readonly Row[]>> = {
  processing_started: [
    ["n_images", isOneOf(4)],
    ["model_version", isText],
  ],
  photo: [
    ["index", isCount],
    ["vhs", isNumberOrNull],
    ["vlas", isNumberOrNull],
    ["spread", isNumberOrNull],
    ["model_confidence", isTier],
    ["landmarks_detected", isFlag],
    ["axes_perpendicular", isFlag],
    ["n_total", isOneOf(4)],
    ["model_version", isText],
  ],
  summary: [
    ["best_vhs", isNumber],
    ["best_vlas", isNumber],
    ["median_vhs", isNumber],
    ["median_vlas", isNumber],
    ["vhs_std", isNumber],
    ["vlas_std", isNumber],
    ["vhs_confidence", isTier],
    ["vlas_confidence", isTier],
    ["best_photo_index", isOneOf(0, 3)],
    ["n_photos_processed", isOneOf(4)],
    ["n_photos_with_landmarks", isOneOf(2)],
  ],
  error: [
    ["index", isOneOf(2)],
    ["uuid", isOneOf(uuid)],
    ["error", isOneOf("Image must be JPEG or PNG")],
  ],
};
const decided: readonly Row[] = [
  ["historic_vhs", isHistory],
  ["historic_vlas", isHistory],
  ["model_version", isText],
  ["billing", isObject],
];
const everyRow = Object.entries(rows).flatMap(([name, ofEvent]) =>
  ofEvent.map(([field, holds]) => [name as StreamEventName, field, holds] as const),
);

describe("6 Events", () => {
  it("order: processing_started, one photo or error per image, summary", () => {
    expect(stream.events.map(({ name }) => name)).toEqual([
      "processing_started",
      "photo",
      "photo",
      "error",
      "photo",
      "summary",
    ]);
  });
  it("each event has the form event: <name>, then data: <JSON>", () => {
    const blocks = stream.text.split("\n\n").filter((block) => block !== "" && !block.startsWith(":"));
    expect(blocks.map((block) => /^event: (\w+)\ndata: (\{.*\})$/.exec(block)?.[1])).toEqual(
      stream.events.map(({ name }) => name),
    );
  });
  it.each(everyRow)("%s: %s", (name, field, holds) => {
    expect(of(name).length).toBeGreaterThan(0);
    expect(
      of(name).every((data) => holds(data[field])),
      JSON.stringify(of(name)),
    ).toBe(true);
  });
  it.each(decided)("summary: %s (decision Stream)", (field, holds) =>
    expect(holds(of("summary")[0]?.[field])).toBe(true),
  );
  it.each(["processing_started", "photo", "error", "summary"] as const)("%s: no other field", (name) => {
    expect(keysOf(of(name)[0])).toEqual(fieldsOf(name === "summary" ? [...rows.summary, ...decided] : rows[name]));
    for (const data of of(name)) expect(() => streamEvents[name].parse(data)).not.toThrow();
  });
  it("photo: in the order of index (decision Stream)", () =>
    expect(of("photo").map((data) => data["index"])).toEqual([0, 1, 3]));
  it("photo of a rejected image has no scores", () =>
    expect(of("photo")[1]).toMatchObject({
      vhs: null,
      vlas: null,
      spread: null,
      model_confidence: "review",
      landmarks_detected: false,
    }));
  it("summary: billed once, at the session rate", () =>
    expect(of("summary")[0]?.["billing"]).toMatchObject({ billable: true, call_type: "session" }));
  it("headers (decision Stream)", () =>
    expect([stream.status, stream.headers]).toMatchObject([
      200,
      { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
    ]));
  itOwn("the first photo is sent while others are still being measured (decision Stream)", async () => {
    const waiting: number[] = [];
    const images = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? firstFilm : secondFilm));
    await readStream(service, { images }, ({ name }) => {
      if (name === "photo") waiting.push(service.own?.corvet.context.queue.size ?? 0);
      return false;
    });
    expect([waiting.length, (waiting[0] ?? 0) > 0]).toEqual([10, true]);
  });
  it("the values equal those of a batch", async () => {
    const images = [firstFilm, secondFilm];
    const [{ body }, { events }] = [
      await service.post("/v3/predict", { images }),
      await readStream(service, { images }),
    ];
    expect(body).toMatchObject({ ...events.at(-1)?.data, billing: expect.anything() });
    const photos = (body["per_photo"] as object[]).map((photo, index) => ({
      ...photo,
      pop_detected: undefined,
      index,
      n_total: 2,
      model_version: body["model_version"],
    }));
    expect(events.flatMap(({ name, data }) => (name === "photo" ? [data] : []))).toEqual(photos);
  });
  it("decision Stream: disconnecting cancels the work, and nothing is billed", async () => {
    const patient = `${uuid}-gone`;
    const gone = await readStream(
      service,
      { images: Array(10).fill(firstFilm), uuid: patient },
      ({ name }) => name === "photo",
    );
    expect(gone.events.map(({ name }) => name)).not.toContain("summary");
    while (service.own && service.own.corvet.context.queue.size > 0) await wait(10);
    // A billed call would have made this one free for 24 hours.
    expect((await service.post("/v3/predict", { image: firstFilm, uuid: patient })).body["billing"]).toMatchObject({
      billable: true,
    });
  });
  it("a request that cannot start returns JSON: exactly one of image and images, as for /v3/predict", async () => {
    const refused = { status: 400, headers: { "content-type": "application/json; charset=utf-8" } };
    const both = await service.post("/v3/predict/stream", { image: firstFilm, images: [secondFilm] });
    expect(both).toMatchObject({ ...refused, body: { error: "Invalid field: send image or images, not both" } });
    expect(await service.post("/v3/predict/stream", {})).toMatchObject(refused);
    expect(await service.post("/v3/predict/stream", { image: "%%%" })).toMatchObject(refused);
  });
  it("decision Server: one image is streamed as a batch of one, with empty history without a uuid", async () => {
    const { status, events } = await readStream(service, { image: firstFilm });
    expect([status, events.map(({ name }) => name)]).toEqual([200, ["processing_started", "photo", "summary"]]);
    expect(events.at(-1)?.data).toMatchObject({ best_photo_index: 0, historic_vhs: [], historic_vlas: [] });
  });
});

describeScripted("6 Events, with slow networks", (scripted) => {
  it("decision Stream: a comment line every 15 s while waiting, which a standard parser ignores", async ({
    onTestFinished,
  }) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    scripted.script.measure = async () => {
      vi.advanceTimersByTime(44_999);
      return measured;
    };
    const { text } = await scripted.post("/v3/predict/stream", { images: [await plainImage()] });
    expect(text).toMatch(
      /^event: processing_started\ndata: .*\n\n(: waiting\n\n){2}event: photo\ndata: .*\n\nevent: summary\ndata: .*\n\n$/,
    );
  });
});
