import { expect, test } from "vitest";
import { useCapture } from "../../../renderer/capture/capture-slice.ts";
import { setConnection } from "../../../renderer/state/connection.ts";

test("gives back a session that was left while it opened", async () => {
  const opened = Promise.withResolvers<unknown>();
  const asked: unknown[] = [];
  const call = (channel: string, request: unknown) => {
    asked.push([channel, request]);
    return (channel === "capture.start" ? opened.promise : Promise.resolve({ ok: true, value: {} })) as never;
  };
  setConnection({ kind: "browser", call, subscribe: () => () => undefined });
  const starting = useCapture.getState().start({} as HTMLVideoElement, null);
  await Promise.resolve();
  useCapture.getState().reset();
  opened.resolve({ ok: true, value: { sessionId: "session", status: "ready" } });
  await starting;
  expect(asked).toEqual([
    ["capture.start", { patientId: null }],
    ["capture.cancel", { sessionId: "session" }],
  ]);
  expect(useCapture.getState()).toMatchObject({ session: null, fault: null });
});
