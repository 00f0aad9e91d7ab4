import { expect, it } from "vitest";
import { makeDataDir, startOwnService } from "../../tools/own-service.ts";
import { fuzzFaultsOf, runFuzz } from "./request-fuzz.ts";
import { faultOfResponse } from "./response-check.ts";

const requests = 20_000;

it(`answers ${requests} nearly valid requests with a documented status and body`, async () => {
  const own = await makeDataDir("fuzz");
  const service = await startOwnService(own.dataDir);
  const report = await runFuzz(service, own.key, 20_261, requests);
  expect(await service.stop()).toBe(0);
  own.remove();
  expect(fuzzFaultsOf(report)).toEqual([]);
  expect(report.requests).toBe(requests);
});

it("reports responses with a wrong status, shape or order", () => {
  const fault = (path: string, status: number, text: string, type = "application/json") =>
    faultOfResponse(
      { method: "POST", path, headers: {}, body: Buffer.alloc(0) },
      { status, text, headers: { "content-type": type } },
    );
  const started = 'event: processing_started\ndata: {"n_images":1,"model_version":"1"}\n\n';
  const failed = 'event: error\ndata: {"index":0,"uuid":"","error":"Internal server error"}\n\n';
  expect(fault("/v3/corners", 500, '{"error":"Internal server error"}')).not.toBeNull();
  expect(fault("/v3/corners", 503, '{"error":"PoP pipeline not available"}')).not.toBeNull();
  expect(fault("/v3/corners", 400, '{"error":5}')).not.toBeNull();
  expect(fault("/v3/corners", 200, "{}")).not.toBeNull();
  expect(fault("/v3/corners", 200, "<html>")).not.toBeNull();
  expect(fault("/v3/predict/stream", 200, started + failed, "text/event-stream")).not.toBeNull();
  expect(fault("/v3/predict/stream", 200, `${started}event: bomb\ndata: {}\n\n`, "text/event-stream")).not.toBeNull();
  expect(fault("/v3/corners", 400, '{"error":"Invalid base64 image"}')).toBeNull();
});
