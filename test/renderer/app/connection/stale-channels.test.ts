import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DesktopChannel, DesktopRequest } from "../../../../core/contract/desktop.ts";
import type { DesktopEvent } from "../../../../core/contract/desktop/events.ts";
import { invalidateAfter } from "../../../../renderer/app/connection/stale-channels.ts";
import { answerCalls } from "../../../fixtures/page/answer-calls.ts";
import { channelQuery, queryClient } from "../../../../renderer/state/queries.ts";

let requests: { readonly channel: string; readonly request: unknown }[];
let ends: (() => void)[];

beforeEach(() => {
  requests = [];
  ends = [];
  queryClient.clear();
  answerCalls((channel, request: unknown) => {
    requests.push({ channel, request });
    return { ok: true, value: { filmIds: [requests.length] } };
  });
});
afterEach(() => ends.forEach((end) => end()));

async function show<C extends DesktopChannel>(channel: C, request: DesktopRequest<C>): Promise<void> {
  const query = channelQuery(channel, request);
  ends.push(new QueryObserver(queryClient, query).subscribe(() => undefined));
  await expect.poll(() => queryClient.getQueryData(query.queryKey)).toBeDefined();
}
const changed = (id: string, patientId: string | null, source: "model" | "person" | null): DesktopEvent =>
  ({
    name: "film.changed",
    payload: { film: { id, patient: patientId && { id: patientId }, reading: source && { source } } },
  }) as never;
const channels = () => requests.map(({ channel }) => channel);

test("refetches the shown queue once after several films have changed", async () => {
  await show("films.queue", {});
  for (const id of ["bella", "rex", "minka"]) invalidateAfter(changed(id, null, null));
  await expect.poll(channels).toEqual(["films.queue", "films.queue"]);
  invalidateAfter(changed("rex", null, null));
  await expect.poll(channels).toEqual(["films.queue", "films.queue", "films.queue"]);
});

test("refetches the trend of the changed film's patient only", async () => {
  await show("trends.get", { patientId: "bella" });
  await show("trends.get", { patientId: "minka" });
  invalidateAfter(changed("film", "bella", null));
  invalidateAfter(changed("film", "bella", "model"));
  await expect.poll(() => requests.slice(2)).toEqual([{ channel: "trends.get", request: { patientId: "bella" } }]);
});

test("marks a channel that is not shown as stale without refetching it", async () => {
  await show("agreement.drift", {});
  ends.pop()?.();
  await show("people.list", {});
  invalidateAfter(changed("film", null, "person"));
  invalidateAfter({ name: "session.changed", payload: {} });
  await expect.poll(channels).toEqual(["agreement.drift", "people.list", "people.list"]);
  expect(queryClient.getQueryState(channelQuery("agreement.drift", {}).queryKey)?.isInvalidated).toBe(true);
});

test("refetches agreement, mergers, screenings and the model after events that change them", async () => {
  await show("agreement.get", { measure: "vhs" });
  await show("agreement.sameDay", { measure: "vhs" });
  await show("patients.mergers", {});
  await show("usg.history", { patientId: "minka" });
  await show("usg.model", {});
  const refetched = async (event: DesktopEvent, expected: readonly DesktopChannel[]) => {
    requests = [];
    invalidateAfter(event);
    await expect.poll(() => channels().toSorted()).toEqual(expected);
  };
  await refetched(changed("film", null, "person"), ["agreement.get", "agreement.sameDay"]);
  await refetched({ name: "film.removed", payload: { filmIds: ["film"] } }, ["agreement.get", "agreement.sameDay"]);
  const patients: DesktopEvent = { name: "patients.changed", payload: {} };
  await refetched(patients, ["agreement.get", "patients.mergers", "usg.history"]);
  await refetched({ name: "packs.changed", payload: {} } as never, ["usg.model"]);
});
