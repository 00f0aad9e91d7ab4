import { expect, test } from "vitest";
import { openRow, waitForFilms } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { ask, fixture } from "../program.ts";

const name = "screen-01.jpg";
const journey = startJourney();

test("annotations of a photograph move to the rectified film, without earlier versions", async (context) => {
  const { page } = journey.window();
  const health = await ask(page, "app.health", {});
  if (!health.isPopEnabled) context.skip("no pack for photographs of screens is loaded");
  await ask(page, "settings.save", { measuresOnArrival: false });
  await page.getByTestId("files").setInputFiles([fixture(`screens/${name}`)]);
  const [film] = await waitForFilms(page, [name]);
  await openRow(page, name);
  const stage = page.getByTestId("stage");
  const { x, y, width, height } = (await stage.boundingBox())!;
  await page.keyboard.press("Shift+D");
  for (const share of [0.4, 0.6]) await page.mouse.click(x + width * share, y + height * 0.5);
  const kept = async () => (await ask(page, "annotations.list", { filmId: film!.id })).versions;
  await expect.poll(async () => (await kept()).length).toBe(1);
  await ask(page, "films.retry", { filmIds: [film!.id] });
  await expect.poll(async () => (await kept()).length).toBe(2);
  const [measured] = await waitForFilms(page, [name]);
  expect((await kept()).map(({ set }) => set.corners)).toEqual([undefined, measured!.picture.corners]);
  await page.getByTestId("annotation-length").waitFor();
  await page.getByRole("button", { name: "Versions of the drawings" }).click();
  const item = (version: number) => page.getByRole("menuitemcheckbox", { name: new RegExp(`^Version ${version}:`) });
  await item(2).waitFor();
  expect([await item(1).isDisabled(), await item(2).isDisabled()]).toEqual([true, false]);
  await item(2).click();
  await expect.poll(async () => (await kept()).length).toBe(3);
});
