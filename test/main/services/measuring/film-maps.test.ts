// Runs once: opens no store.
import { expect, it } from "vitest";
import { reducedPicture } from "../../../../core/cardiac/capture/small-picture.ts";
import { filmMapOf } from "../../../../main/services/measuring/film-maps.ts";
import { texturedFilm } from "../../../fixtures/textured-film.ts";
import { measured } from "../../store/sample-store.ts";

const size = { widthPx: 96, heightPx: 80 };
const picture = reducedPicture(texturedFilm(1, size), size);
const [one, other] = ["one", "other"].map((filmSha256) => ({ measurement: measured, picture, filmSha256 }));

it("registers two films of a session once for all frames, and stops if a frame is cancelled", async () => {
  const { signal } = new AbortController();
  const mapIn = (sessionId: string, end = signal) => filmMapOf(sessionId, end)(one!, other!);
  const map = await mapIn("session");
  expect(map).toBeTypeOf("function");
  expect(await mapIn("session")).toBe(map);
  expect(await mapIn("another")).not.toBe(map);
  await expect(mapIn("a third", AbortSignal.abort())).rejects.toThrow("aborted");
});
