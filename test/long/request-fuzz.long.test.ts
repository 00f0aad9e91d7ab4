import { expect, it } from "vitest";
import { makeDataDir, startOwnService } from "../../tools/own-service.ts";
import { fuzzFaultsOf, runFuzz } from "./request-fuzz.ts";

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
