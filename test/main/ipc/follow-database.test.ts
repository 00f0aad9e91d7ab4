import { afterEach, beforeEach, expect, test } from "vitest";
import { followDatabase } from "../../../main/ipc/follow-database.ts";
import { openDraftsBench, type DraftsBench } from "../../fixtures/drafts-bench.ts";

let opened: DraftsBench;
let end: () => Promise<void>;
let tell: () => void = () => undefined;
beforeEach(async () => {
  opened = await openDraftsBench();
  const { desktop, context } = opened.bench;
  const database = { follow: (listener: (isAway: boolean) => void) => void (tell = () => listener(true)) };
  end = await followDatabase(database, desktop, context.log, 20);
});
afterEach(async () => {
  await end();
  await opened.remove();
});

const isOnDrafts = async () => (await opened.bench.desktop.parts.drafts!.state()).isOnDrafts;
const database = (isAway: boolean) => {
  opened.setAway(isAway);
  tell();
};
const comes = (wanted: boolean) => expect.poll(isOnDrafts).toBe(wanted);

test("a page that is closed while it decides about drafts leaves that to the program", async () => {
  const close = opened.bench.desktop.subscribePage("window", () => undefined);
  database(true);
  await opened.bench.desktop.parts.folders.look();
  expect(await isOnDrafts()).toBe(false);
  close();
  await comes(true);
  const closeAnother = opened.bench.desktop.subscribePage("window", () => undefined);
  database(false);
  await opened.bench.desktop.parts.folders.look();
  expect(await isOnDrafts()).toBe(true);
  closeAnother();
  await comes(false);
});

test("at a page that is locked nobody decides about drafts", async () => {
  const { bench } = opened;
  const { people } = await bench.call("people.add", { name: "Dr. One", role: "administrator", secret: "1234" });
  const { id: personId } = people[0]!;
  await bench.call("people.turnOn", { personId, secret: "1234" });
  const close = bench.desktop.subscribePage("window", () => undefined);
  await bench.desktop.parts.drafts!.hearSettings();
  database(true);
  await bench.call("drafts.begin", {});
  database(false);
  await bench.desktop.parts.folders.look();
  expect(await isOnDrafts()).toBe(true);
  await bench.call("session.lock", {});
  await comes(false);
  close();
});
