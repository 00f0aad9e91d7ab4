import { afterEach, expect, it, vi } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { findCaller, forgetRevoked } from "../../../../main/services/calls/callers.ts";
import { revokeApiKey } from "../../../../main/store/people/api-keys.ts";
import { useBench } from "../../../fixtures/use-bench.ts";

const bench = useBench();
afterEach(() => {
  vi.restoreAllMocks();
});

it("rejects a revoked key while the store is unavailable", async () => {
  const { context, call } = bench;
  const kept = await call("keys.create", { accountName: "Clinic", name: "kept" });
  const revoked = await call("keys.create", { accountName: "Clinic", name: "revoked" });
  for (const { key } of [kept, revoked]) expect(await findCaller(context, key)).not.toBeNull();
  await call("keys.revoke", { keyId: revoked.keyId });
  vi.spyOn(context.db, "executeQuery").mockRejectedValue(new AppError("STORE_UNAVAILABLE"));
  expect(await findCaller(context, kept.key)).toMatchObject({ keyId: kept.keyId });
  await expect(findCaller(context, revoked.key)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});

it("rejects a key revoked by a command or another workstation, without an event", async () => {
  const { context, call } = bench;
  const kept = await call("keys.create", { accountName: "Clinic", name: "kept" });
  const revoked = await call("keys.create", { accountName: "Clinic", name: "revoked" });
  for (const { key } of [kept, revoked]) await findCaller(context, key);
  await revokeApiKey(context.db, { keyId: revoked.keyId, at: context.now() });
  await forgetRevoked(context);
  vi.spyOn(context.db, "executeQuery").mockRejectedValue(new AppError("STORE_UNAVAILABLE"));
  expect(await findCaller(context, kept.key)).toMatchObject({ keyId: kept.keyId });
  await expect(findCaller(context, revoked.key)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
