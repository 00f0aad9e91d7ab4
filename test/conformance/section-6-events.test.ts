import https from "node:https";
import { createParser } from "eventsource-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streamEvents, type StreamEventName } from "../../core/contract/v3.ts";
import { fixtureImage, fixtureNames } from "../main/server/sample-images.ts";
import { openServiceUnderTest, type ServiceUnderTest } from "./service-under-test.ts";

type StreamEvent = { readonly name: StreamEventName; readonly data: Record<string, unknown>; readonly atMs: number };

const [firstFilm = "", secondFilm = ""] = fixtureNames("films");
const negative = fixtureNames("negatives")[0] ?? "";
let service: ServiceUnderTest;
let events: StreamEvent[];
let headers: Record<string, unknown>;

/** Reads the stream with a parser that knows nothing of this service, and notes when each event arrived. */
function stream(body: object): Promise<{ events: StreamEvent[]; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const received: StreamEvent[] = [];
    const startedAt = performance.now();
    const parser = createParser({
      onEvent: ({ event, data }) => received.push({ name: event as StreamEventName, data: JSON.parse(data) as Record<string, unknown>, atMs: performance.now() - startedAt }),
    });
    const options = { method: "POST", ca: service.authority, headers: { "x-api-key": service.key, "content-type": "application/json" } };
    const request = https.request(`${service.baseUrl}/v3/predict/stream`, options, (response) => {
      response.setEncoding("utf8").on("data", (chunk: string) => parser.feed(chunk)).on("error", reject).on("end", () => resolve({ events: received, headers: response.headers }));
    });
    request.on("error", reject).end(JSON.stringify(body));
  });
}

beforeAll(async () => {
  service = await openServiceUnderTest();
  await service.post("/v3/predict", { image: fixtureImage(firstFilm) });
  const images = [fixtureImage(firstFilm), fixtureImage(negative), Buffer.from("text").toString("base64"), fixtureImage(secondFilm)];
  ({ events, headers } = await stream({ images, uuid: "stream-1" }));
});
afterAll(() => service.close());

const of = (name: StreamEventName) => events.filter((event) => event.name === name);

describe("6 Events", () => {
  it("order: processing_started, one photo or error per image, summary", () => {
    expect(events.map(({ name }) => name)).toEqual(["processing_started", "photo", "photo", "error", "photo", "summary"]);
  });
  it("each event has the members of its row and no others", () => {
    for (const { name, data } of events) expect(() => streamEvents[name].parse(data), name).not.toThrow();
  });
  it("processing_started: n_images, model_version", () => expect(of("processing_started")[0]?.data).toMatchObject({ n_images: 4, model_version: expect.any(String) }));
  it.each(["index", "vhs", "vlas", "spread", "model_confidence", "landmarks_detected", "axes_perpendicular", "n_total", "model_version"])("photo: %s", (field) => {
    expect(of("photo").every(({ data }) => field in data)).toBe(true);
  });
  it("photo: in the order of index (decision Stream)", () => expect(of("photo").map(({ data }) => data["index"])).toEqual([0, 1, 3]));
  it.each([
    "best_vhs", "best_vlas", "median_vhs", "median_vlas", "vhs_std", "vlas_std", "vhs_confidence", "vlas_confidence", "best_photo_index", "n_photos_processed", "n_photos_with_landmarks",
  ])("summary: %s", (field) => expect(of("summary")[0]?.data).toHaveProperty(field));
  it.each(["historic_vhs", "historic_vlas", "model_version", "billing"])("summary: %s (decision Stream)", (field) => expect(of("summary")[0]?.data).toHaveProperty(field));
  it("summary: billed once, at the session rate", () => expect(of("summary")[0]?.data["billing"]).toMatchObject({ billable: true, call_type: "session" }));
  it("error: index, uuid, error", () => expect(of("error")[0]?.data).toEqual({ index: 2, uuid: "stream-1", error: "Image must be JPEG or PNG" }));
  it("headers (decision Stream)", () => expect(headers).toMatchObject({ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" }));
  it("the first photo comes while the others are still measured (decision Stream)", async () => {
    const streamed = await stream({ images: Array.from({ length: 10 }, (_, index) => fixtureImage(index % 2 === 0 ? firstFilm : secondFilm)) });
    const first = streamed.events.find(({ name }) => name === "photo");
    expect((streamed.events.at(-1)?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(50);
  });
  it("the values are those of the batch form", async () => {
    const images = [fixtureImage(firstFilm), fixtureImage(secondFilm)];
    const { body } = await service.post("/v3/predict", { images });
    const streamed = await stream({ images });
    expect(body).toMatchObject(Object.fromEntries(Object.entries(streamed.events.at(-1)?.data ?? {}).filter(([field]) => field.startsWith("best_") || field.startsWith("median_") || field.endsWith("_std"))));
  });
});
