import { randomUUID } from "node:crypto";
import { AppError, because } from "../../../../core/app-error.ts";
import { isPlacedByPerson } from "../../../../core/cardiac/agreement/placed-by-person.ts";
import { isSamePicture } from "../../../../core/cardiac/picture-of-points.ts";
import type { DesktopParsedRequest } from "../../../../core/contract/desktop.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../../core/contract/desktop/readings.ts";
import { currentActor } from "../../../store/audit/acting.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { finishFilm, getFilm, type FilmRow } from "../../../store/films/films.ts";
import { appendReading, getLatestReading, listReadings, type ReadingRow } from "../../../store/films/readings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { toReading } from "../film-view.ts";
import { publishFilm } from "../film-events.ts";
import { shownPicture } from "./shown-picture.ts";
import {
  manualReadingDetail,
  detailOfUnmeasured,
  readingDetail,
  storedDetail,
  valuesOfDetail,
} from "./reading-detail.ts";

type Saved = DesktopParsedRequest<"readings.save">;

/** @throws AppError NOT_FOUND, CONFLICT if another reading is current, INVALID_FIELD, EDGES_COINCIDE */
export async function saveReading(
  context: DesktopContext,
  request: Saved,
): Promise<{ readonly film: Film; readonly reading: Reading }> {
  const row = await transaction(context.db, async () => {
    const film = await getFilm(context.db, request.filmId);
    if (film.queueNumber !== null) throw new AppError("CONFLICT", because("filmBeingMeasured"));
    const latest = await countingReading(context, request);
    const { remark, verdict, geometry } = request;
    if (latest && isAcceptedAlready(latest, request)) return latest;
    const base = verdict === "by_hand" ? null : latest;
    const said =
      geometry === null
        ? asRead(base ?? (await unmeasured(context, film, request)), request)
        : asPlaced(
            base ? toReading(base) : await withoutModel(context, { film, latest, geometry }),
            geometry,
            request.isBlind && verdict === "by_hand",
          );
    const row = await appendReading(context.db, {
      id: randomUUID(),
      filmId: film.id,
      source: "person",
      verdict,
      atMs: context.now().getTime(),
      who: signerOf(request),
      remark,
      tier: null,
      ...said,
    });
    await finishFilm(context.db, film.id, { state: "done" });
    return row;
  });
  return { film: await publishFilm(context, request.filmId), reading: toReading(row) };
}

/**
 * Appends a copy of the previous reading, with its signature and time, plus the time of the undo. A rejection without a
 * previous reading is withdrawn by an undecided version.
 *
 * @throws AppError NOT_FOUND, CONFLICT if another reading is current, or if the reading is the first and no rejection
 */
export async function undoReading(
  context: DesktopContext,
  { filmId, readingId }: DesktopParsedRequest<"readings.undo">,
): Promise<{ readonly film: Film; readonly reading: Reading }> {
  const row = await transaction(context.db, async () => {
    const film = await getFilm(context.db, filmId);
    if (film.queueNumber !== null) throw new AppError("CONFLICT", because("filmBeingMeasured"));
    const readings = await listReadings(context.db, filmId);
    const undone = readings.at(-1);
    if (undone?.id !== readingId || undone.source !== "person")
      throw new AppError("CONFLICT", because("readingSuperseded"));
    const undoneAt = context.now();
    const before = readings.at(-2) ?? withoutRejection(undone, undoneAt);
    const copied = readingDetail.parse(JSON.parse(before.detail));
    const detail = storedDetail({ ...copied, undoneAt: undoneAt.toISOString() });
    return appendReading(context.db, { ...before, id: randomUUID(), detail }, { undoneAt });
  });
  return { film: await publishFilm(context, filmId), reading: toReading(row) };
}

/** @throws AppError CONFLICT unless it is a rejection */
function withoutRejection(rejection: ReadingRow, undoneAt: Date): ReadingRow {
  if (rejection.verdict !== "rejected") throw new AppError("CONFLICT", because("readingSuperseded"));
  const takenBackBy = signerOf({ who: rejection.who ?? "" });
  const { rejectionReason: _, ...detail } = readingDetail.parse(JSON.parse(rejection.detail));
  return {
    ...rejection,
    source: "model",
    verdict: null,
    atMs: undoneAt.getTime(),
    who: null,
    remark: "",
    detail: storedDetail({ ...detail, takenBackBy }),
  };
}

/** Without sign-in, the name entered on the page. */
function signerOf({ who }: Pick<Saved, "who">): string {
  const actor = currentActor();
  if (actor.personId !== null && actor.who !== null) return actor.who;
  if (who === undefined) throw new AppError("MISSING_FIELD", "Missing required field: who");
  return who;
}

/** Returns null for a manual measurement without one. */
async function countingReading(context: DesktopContext, { filmId, basedOn, verdict }: Saved) {
  const latest = await getLatestReading(context.db, filmId);
  if ((latest?.id ?? null) !== basedOn || (latest === null && verdict !== "by_hand" && verdict !== "rejected"))
    throw new AppError("CONFLICT", because("readingSuperseded"));
  return latest;
}

type Geometry = NonNullable<Saved["geometry"]>;
type PlacedOn = Parameters<typeof manualReadingDetail>[0];
type Said = Pick<ReadingRow, "resultCode" | "values" | "detail">;

/** Whether the request repeats the current acceptance; another user's signature is another version. */
function isAcceptedAlready({ verdict, remark, who }: ReadingRow, request: Saved): boolean {
  const isSame = verdict === request.verdict && remark === request.remark && who === signerOf(request);
  return isSame && verdict === "accepted";
}

async function unmeasured({ db }: DesktopContext, film: FilmRow, { verdict }: Saved): Promise<Said | null> {
  if (verdict !== "rejected") return null;
  const detail = detailOfUnmeasured(await shownPicture(db, film));
  return { resultCode: null, values: valuesOfDetail(detail), detail: storedDetail(detail) };
}

function asRead(base: Said | null, { verdict, rejectionReason }: Saved): Said {
  if (base === null || verdict === "corrected") throw new AppError("MISSING_FIELD", "Missing required field: geometry");
  const { resultCode, values } = base;
  if (verdict === "accepted" && values.vhs === null) throw new AppError("INVALID_FIELD", because("noScoreToAccept"));
  const detail = readingDetail.parse(JSON.parse(base.detail));
  const reason = verdict === "rejected" ? rejectionReason : undefined;
  const decided = { ...detail, rejectionReason: reason, takenBackBy: undefined, undoneAt: undefined };
  return { resultCode, values, detail: storedDetail(decided) };
}

/** A corrected or manual reading has neither tier nor result code, which describe network results. */
function asPlaced(on: PlacedOn, geometry: Geometry, isBlind: boolean): Said {
  if (!isSamePicture(on, geometry)) throw new AppError("CONFLICT", because("pictureNotShown"));
  const detail = { ...manualReadingDetail(on, geometry), ...(isBlind && { isBlind }) };
  const values = valuesOfDetail(detail);
  if (values.vhs === null) throw new AppError("INVALID_FIELD", because("pointsWithoutScore"));
  return { resultCode: null, values, detail: storedDetail(detail) };
}

/**
 * A user's points may be saved again on their picture, with other findings, even if that picture is no longer stored or
 * shown.
 */
async function withoutModel(
  { db }: DesktopContext,
  { film, latest, geometry }: { film: FilmRow; latest: ReadingRow | null; geometry: Geometry },
): Promise<PlacedOn> {
  const placed = latest !== null && isPlacedByPerson(latest) ? toReading(latest) : null;
  const { frame, popDetected, corners } =
    placed && isSamePicture(placed, geometry) ? placed : await shownPicture(db, film);
  return { frame, popDetected, corners, heart: null, score: null };
}
