import { expect, it } from "vitest";
import { readFilmOfResults } from "../../../../../main/services/results/film-of-results.ts";
import { appendAnnotations } from "../../../../../main/store/films/annotations.ts";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../../fixtures/use-bench.ts";
import { measured } from "../../../store/sample-store.ts";

const bench = useBench();

it("omits drawings of an earlier version on another image of the film until it is annotated again", async () => {
  bench.engine.answers(measured);
  const film = await bench.openFilm("film.png", await smallPicture(1));
  const note = { id: "1", tool: "note" as const, points: [{ x: 30, y: 40 }], text: "Gas" };
  // On the rectified photograph; the film was later measured as a direct film.
  const former = { frame: { widthPx: 500, heightPx: 700 }, calibration: null, annotations: [note] };
  await appendAnnotations(bench.context.db, {
    ...{ id: "kept before", filmId: film.id, basedOn: 0, atMs: 0, who: null, content: JSON.stringify(former) },
  });
  const printed = async () => (await readFilmOfResults(bench.context, film.id)).subject.drawings?.set.frame ?? null;
  expect(await printed()).toBeNull();
  const set = { ...former, frame: film.picture.frame, corners: null };
  await bench.call("annotations.save", { filmId: film.id, basedOn: 1, who: "Dr Weber", set });
  expect(await printed()).toEqual(film.picture.frame);
});
