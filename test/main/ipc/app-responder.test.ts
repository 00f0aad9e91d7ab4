import { expect, it } from "vitest";
import { desktopRoutes, uploadHeader } from "../../../core/contract/desktop/routes.ts";
import { createAppResponder } from "../../../main/ipc/app-responder.ts";
import { smallPicture } from "../../fixtures/desktop-bench.ts";
import { useBench } from "../../fixtures/use-bench.ts";

const bench = useBench();

/** Kinds of request bodies that Electron's lib/browser/api/protocol.ts creates. */
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

it("ends an upload that the page cancels, although Electron does not abort its request", async () => {
  const respond = createAppResponder(bench.desktop);
  const stalled = new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(1)) });
  const upload = new Request(`corvet://app${desktopRoutes.importPack}`, {
    ...{ method: "PUT", body: stalled, duplex: "half", headers: { [uploadHeader]: "1" } },
  } as RequestInit);
  const response = respond(upload);
  const cancelled = await respond(
    new Request(`corvet://app${desktopRoutes.cancelUpload}?upload=1`, { method: "POST" }),
  );
  expect([cancelled.status, (await response).status]).toEqual([204, 499]);
});
