import { afterEach, beforeEach, expect, it } from "vitest";
import { desktopRoutes } from "../../../core/contract/desktop/routes.ts";
import { createAppResponder } from "../../../main/ipc/app-responder.ts";
import { openBench, smallPicture, type DesktopBench } from "../../fixtures/desktop-bench.ts";

let bench: DesktopBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

/** Bodies of a request, as Electron's lib/browser/api/protocol.ts makes them of what the page sends. */
const bodies = {
  "a buffer": (bytes: Uint8Array<ArrayBuffer>) => bytes,
  "a stream": (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]).stream(),
};

it.each(Object.entries(bodies))(
  "opens a film sent as %s without content-length and content-type",
  async (_, bodyOf) => {
    const body = bodyOf(Uint8Array.from(await smallPicture(1)));
    const request = new Request(`corvet://app${desktopRoutes.addFilm}?name=film.png`, {
      method: "PUT",
      body,
      duplex: "half",
    } as RequestInit);
    const response = await createAppResponder(bench.desktop)(request);
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { ok: true, value: { films: [{ isNew: true }] } },
    ]);
  },
);
