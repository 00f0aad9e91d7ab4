import { expect, it } from "vitest";
import { startCallCleanup } from "../../../main/composition/call-cleanup.ts";
import { recordAnsweredCall } from "../../../main/services/calls/delivery.ts";
import { rawly } from "../../fixtures/raw-store.ts";
import { useScriptedService } from "../server/service/scripted-service.ts";
import { meteredCall } from "../store/sample-store.ts";

const service = useScriptedService();

const record = (callId: string) => {
  const { context, accountId, clock } = service;
  const call = meteredCall({ accountId, uuid: callId, at: clock.at });
  return recordAnsweredCall(context, { ...call, callId, answerUntil: null });
};
const kinds = async () =>
  (await rawly(service.context.db, "SELECT kind FROM ledger ORDER BY seq")).map(({ kind }) => kind);

it("withdraws lost charges and deletes expired sessions at the start, and settles the rest at the end", async () => {
  const { context, clock } = service;
  await record("lost");
  await service.post("/v3/pop-session/start", {});
  clock.at = new Date(clock.at.getTime() + 60 * 60_000);
  const cleanup = await startCallCleanup(context);
  expect([await kinds(), await rawly(context.db, "SELECT id FROM pop_sessions")]).toEqual([["charge", "reversal"], []]);
  await record("not sent");
  context.deliveries.set("not sent", "lost");
  await cleanup.stop();
  expect(await kinds()).toEqual(["charge", "reversal", "charge", "reversal"]);
});
