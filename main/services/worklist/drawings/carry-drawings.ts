import { randomUUID } from "node:crypto";
import { inverted, mapped } from "../../../../core/cardiac/plane-map.ts";
import { type Corners, cornersInOtherSize, type PictureSize, type Point } from "../../../../core/cardiac/points.ts";
import type { MeasuredRadiograph } from "../../../../core/cardiac/radiograph-measurement.ts";
import { annotationSet } from "../../../../core/contract/desktop/annotations.ts";
import { unitSquareTo } from "../../../imaging/homography.ts";
import { processedSizePx } from "../../../imaging/processed-size.ts";
import { engineOf } from "../../../store/engines/engine.ts";
import { appendAnnotations, getLatestAnnotations } from "../../../store/films/annotations.ts";
import type { FilmRow } from "../../../store/films/films.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";

/** Sizes of one picture differ by rounding. */
const sameAspectWithin = 0.01;

/**
 * Takes what was drawn on a photograph of a screen along to the film that measuring cut out of it: from then on the film
 * is shown. Called in the transaction of the measurement.
 */
export async function carryDrawings(
  { db, now, publish }: DesktopContext,
  film: FilmRow,
  { corners, widthPx, heightPx }: MeasuredRadiograph,
): Promise<void> {
  // Since then it is drawn on what was cut out of it.
  if (film.hasRectified) return;
  const latest = await getLatestAnnotations(db, film.id);
  if (latest === null || corners === null) return;
  const { frame, calibration, annotations } = annotationSet.parse(JSON.parse(latest.content));
  const cut = { widthPx, heightPx };
  if (isSameSize(frame, cut) || !isSameAspect(frame, film)) return;
  const carry = ontoFilm(cornersInOtherSize(corners, processedSizePx(film), frame), cut);
  if (carry === null) return;
  const set = annotationSet.parse({
    frame: cut,
    calibration: calibration && { ...calibration, from: carry(calibration.from), to: carry(calibration.to) },
    annotations: annotations.map((each) => ({ ...each, points: each.points.map(carry) })),
  });
  const { version } = await appendAnnotations(db, {
    id: randomUUID(),
    filmId: film.id,
    basedOn: latest.version,
    atMs: now().getTime(),
    who: latest.who,
    content: JSON.stringify(set),
  });
  await engineOf(db).driver.afterCommit(() =>
    Promise.resolve(publish({ name: "annotations.changed", payload: { filmId: film.id, version } })),
  );
}

/** Where a place of the photograph lies on the film; null where the corners lie on a line. */
function ontoFilm(corners: Corners, { widthPx, heightPx }: PictureSize): ((point: Point) => Point) | null {
  const back = inverted(unitSquareTo(corners));
  return (
    back &&
    ((point) => {
      const { x, y } = mapped(back, point);
      return { x: x * widthPx - 0.5, y: y * heightPx - 0.5 };
    })
  );
}

function isSameSize(one: PictureSize, other: PictureSize): boolean {
  return one.widthPx === other.widthPx && one.heightPx === other.heightPx;
}

function isSameAspect(one: PictureSize, other: PictureSize): boolean {
  const ratio = (one.widthPx * other.heightPx) / (one.heightPx * other.widthPx);
  return Math.abs(ratio - 1) < sameAspectWithin;
}
