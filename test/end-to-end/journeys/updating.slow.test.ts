import { createHash } from "node:crypto";
import { afterAll, expect } from "vitest";
import { signRelease } from "../../../main/services/updates/signed-release.ts";
import type { UpdateHost } from "../../../main/services/updates/update-host.ts";
import { makePublisher, openFeed, migrations, releaseOf } from "../../fixtures/updates/releases.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask } from "../program.ts";
import { openSettings } from "../actions.ts";

/** The window's part of an update; installation is tested in test/main/app. */
const publisher = makePublisher();
const installer = Buffer.from("the bytes of an installer");
const switched = { isOn: false };
let restarts = 0;
let feed: Awaited<ReturnType<typeof openFeed>>;

const host: UpdateHost = {
  target: { platform: "linux", arch: process.arch === "arm64" ? "arm64" : "x64", kind: "AppImage" },
  fetch: (address, signal) => fetch(address, { signal }),
  async prepare(_version, file, address, onFetched) {
    const bytes = Buffer.from(await (await fetch(new URL(file.name, address))).arrayBuffer());
    if (createHash("sha512").update(bytes).digest("base64") !== file.sha512) throw new Error("sha512 mismatch");
    onFetched(1);
  },
  stop: () => undefined,
  restart: () => void (restarts += 1),
  chooseFile: () => Promise.resolve(null),
};

// Runs after the hook of the journey, which closes the program.
afterAll(() => feed?.close());
const { test } = startJourney(undefined, async () => {
  const release = releaseOf(installer, {}, { migrations: [...migrations, "9999-later.sql"] });
  feed = await openFeed(
    new Map<string, Uint8Array>([
      ["corvet-release.json", Buffer.from(signRelease(release, publisher.privateKey))],
      [release.files[0]!.name, installer],
    ]),
  );
  return await openProgram({
    updateHost: host,
    updateOrigin: { keys: [publisher.publicKey], feed: feed.address },
    startAtLogIn: { isOn: () => switched.isOn, turn: (isOn) => void (switched.isOn = isOn) },
  });
});

test("checks for an update in the settings, and shows its changes", async ({ page }) => {
  await openSettings(page, "About");
  const card = page.getByTestId("updates");
  await card.getByRole("button", { name: "Check for updates" }).click();
  await card.getByText("Version 9.9.9 is ready").waitFor();
  await card.getByText("What’s new").click();
  expect(await card.innerText()).toContain("Films open faster.");
  expect(await card.innerText()).toContain("a backup is made first");
});

test("offers the update above every screen until it is postponed", async ({ page }) => {
  await page.keyboard.press("Alt+1");
  const note = page.getByTestId("update-note");
  await note.getByText("installed when you quit Corvet").waitFor();
  await note.getByRole("button", { name: "Later" }).click();
  await note.waitFor({ state: "detached" });
  expect((await ask(page, "updates.get", {})).laterUntil).not.toBeNull();
});

test("restarts for the update from the settings", async ({ page }) => {
  await openSettings(page, "About");
  await page.getByTestId("updates").getByRole("button", { name: "Restart and update" }).click();
  await expect.poll(() => restarts).toBe(1);
});

test("switches the start at log-in in the settings", async ({ page }) => {
  await page.getByRole("tab", { name: "General" }).click();
  await page.getByRole("switch", { name: /logs in/ }).click();
  await expect.poll(() => switched.isOn).toBe(true);
});
