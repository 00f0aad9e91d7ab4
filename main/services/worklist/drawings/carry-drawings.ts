import { randomUUID } from "node:crypto";
import { isSameCrop, type Picture } from "../../../../core/cardiac/picture-of-points.ts";
import { inverted, mapped } from "../../../../core/cardiac/plane-map.ts";
import { inOtherSize, type PictureSize, type Point } from "../../../../core/cardiac/points.ts";
import { annotationSet } from "../../../../core/contract/desktop/annotations.ts";
import { unitSquareTo } from "../../../imaging/homography.ts";
import { processedSizePx } from "../../../imaging/processed-size.ts";
import { engineOf } from "../../../store/engines/engine.ts";
import { appendAnnotations } from "../../../store/films/annotations.ts";
import { getFilm } from "../../../store/films/films.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { shownPicture } from "../readings/shown-picture.ts";
import { latestAnnotations } from "./annotations.ts";

type Carry = (point: Point) => Point;

/**
 * Maps annotations to the picture shown now, after a film was rectified, rectified differently or reset to the file.
 * Called in the transaction that changes the picture.
 *
 * @param before  the picture on which the annotations were drawn
 */
export async function carryDrawings(
  { db, now, raise }: DesktopContext,
  filmId: string,
  before: Picture,
): Promise<void> {
  const latest = await latestAnnotations(db, filmId);
  if (latest === null) return;
  const { set } = latest;
  const film = await getFilm(db, filmId);
  const { frame, corners } = await shownPicture(db, film);
  if (isSameCrop(before.corners, corners) || !isSameCrop(set.corners, before.corners)) return;
  // Annotations on the file refer to its full size.
  const { widthPx, heightPx } = corners ? frame : film;
  const after = { frame: { widthPx, heightPx }, corners };
  const carry = carryBetween({ frame: set.frame, corners: before.corners }, after, processedSizePx(film));
  const { calibration, annotations } = set;
  const carried = carry && {
    ...after,
    calibration: calibration && { ...calibration, from: carry(calibration.from), to: carry(calibration.to) },
    annotations: annotations.map((each) => ({ ...each, points: each.points.map(carry) })),
  };
  const { success, data } = annotationSet.safeParse(carried);
  // Annotations that cannot be mapped must not prevent the new picture.
  if (!success) return;
  const { version } = await appendAnnotations(db, {
    id: randomUUID(),
    filmId,
    basedOn: latest.version,
    atMs: now().getTime(),
    who: latest.who,
    content: JSON.stringify(data),
  });
  await engineOf(db).driver.afterCommit(() =>
    Promise.resolve(raise({ name: "annotations.changed", payload: { filmId, version } })),
  );
}

/** Returns null for degenerate corners. */
function carryBetween(from: Picture, to: Picture, file: PictureSize): Carry | null {
  const onto = ontoPicture(to, file);
  return onto && ((point) => onto(inFile(point, from, file)));
}

function inFile(point: Point, { frame, corners }: Picture, file: PictureSize): Point {
  return corners === null
    ? inOtherSize(point, frame, file)
    : mapped(unitSquareTo(corners), { x: (point.x + 0.5) / frame.widthPx, y: (point.y + 0.5) / frame.heightPx });
}

function ontoPicture({ frame, corners }: Picture, file: PictureSize): Carry | null {
  if (corners === null) return (point) => inOtherSize(point, file, frame);
  const back = inverted(unitSquareTo(corners));
  return (
    back &&
    ((point) => {
      const { x, y } = mapped(back, point);
      return { x: x * frame.widthPx - 0.5, y: y * frame.heightPx - 0.5 };
    })
  );
}
