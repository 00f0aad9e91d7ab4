import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect } from "vitest";
import { hasPostgres } from "../../fixtures/postgres/programs.ts";
import { temporaryDatabase } from "../../fixtures/postgres/temporary-database.ts";
import { axeFaults, openFilms, openRow } from "../actions.ts";
import { startJourney } from "../journey.ts";
import { openProgram } from "../open-program.ts";
import { ask, phantom } from "../program.ts";

describe.runIf(hasPostgres)("a practice whose database becomes unreachable and reachable again", () => {
  let database: InterruptibleDatabase;
  // Runs after the hook of the journey, which closes the program.
  afterAll(() => database?.remove());
  const { window, test } = startJourney(undefined, async () => {
    database = await interruptibleDatabase();
    return await openProgram({ database: database.url });
  });

  const names = async () => (await ask(window().page, "films.list", {})).films.map(({ fileName }) => fileName).sort();
  const nothingIsSaved = () => window().page.getByText("Changes are not being saved.");

  test("keeps unsaved findings on the page, and opens and measures films without saving them", async ({ page }) => {
    await openFilms(page, [phantom("dog-01.jpg")]);
    await openRow(page, "dog-01.jpg");
    await page.getByTestId("vhs").waitFor();
    await page.getByLabel("Findings").fill("Half of a");
    await database.interrupt();
    await page.getByText(/The practice’s database is not responding/).waitFor();
    await page.getByText("Not saved yet.").waitFor();
    expect([await nothingIsSaved().isVisible(), await page.getByLabel("Findings").inputValue()]).toEqual([
      false,
      "Half of a",
    ]);
    await page.getByRole("button", { name: "Discard and continue" }).click();
    await nothingIsSaved().waitFor();
    expect(await names()).toEqual([]);
    await openFilms(page, [phantom("dog-03.jpg")]);
    await openRow(page, "dog-03.jpg");
    await page.getByTestId("vhs").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel("Findings").fill("Enlarged");
    await page.getByLabel("Signed by").fill("Dr Weber");
    await page.getByRole("button", { name: "Accept" }).click();
    await page
      .getByText(/Nothing can be saved there until it is back/)
      .first()
      .waitFor();
  });

  test("shows the practice's films again when the database is back and the user continues", async ({ page }) => {
    await database.resume();
    await page.getByText("The database is back.").waitFor();
    expect(await page.getByLabel("Findings").inputValue()).toBe("Enlarged");
    await page.getByRole("button", { name: "Discard and continue" }).click();
    await nothingIsSaved().waitFor({ state: "detached" });
    await expect.poll(names).toEqual(["dog-01.jpg"]);
  });
});

type InterruptibleDatabase = {
  readonly url: string;
  /** Closes all connections and accepts none, as a server that has stopped. */
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  remove(): Promise<void>;
};

async function interruptibleDatabase(): Promise<InterruptibleDatabase> {
  const database = await temporaryDatabase();
  const socketName = ".s.PGSQL.5432";
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-socket-"));
  const [address, folderOfCluster] = database.url.split("?host=") as [string, string];
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(path.join(folderOfCluster, socketName));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const resume = async () => {
    relay.listen(path.join(folder, socketName));
    await once(relay, "listening");
  };
  const interrupt = async () => {
    const closed = once(relay, "close");
    relay.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await resume();
  return {
    url: `${address}?host=${folder}`,
    interrupt,
    resume,
    async remove() {
      await interrupt();
      await database.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
