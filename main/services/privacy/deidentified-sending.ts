import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { nullIfUnreadable } from "../desktop/null-if-unreadable.ts";
import { getNode } from "../network/dicom-settings.ts";
import type { DicomSend } from "../network/dicom-send.ts";
import {
  anonymousFilms,
  anonymousObjects,
  keyFileOf,
  recordDeidentified,
  withoutPictures,
  type AnonymousFilm,
} from "./anonymous-films.ts";

type Answer = DesktopResponse<"deidentify.send">;

/**
 * Sends films one by one until one is rejected. Skips pictures without a reading.
 *
 * @throws AppError NOT_FOUND for a missing node, CONFLICT if a sending with this id is in progress, and as
 *   `anonymousFilms`
 */
export async function sendDeidentified(
  context: DesktopContext,
  send: Pick<DicomSend, "sendBatches">,
  request: DesktopParsedRequest<"deidentify.send">,
): Promise<Answer> {
  const { sendId, nodeId } = request;
  const node = await getNode(context.db, nodeId);
  const offered: AnonymousFilm[] = [];
  async function* batches() {
    for await (const film of anonymousFilms(context, request)) {
      const objects = await nullIfUnreadable(context, () => anonymousObjects(context.dicom, film.of));
      if (objects === null || objects.length === 0) continue;
      offered.push(withoutPictures(film));
      yield objects.map(({ bytes }) => bytes);
    }
  }
  let outcome;
  try {
    outcome = await send.sendBatches({ sendId, nodeId, batches: batches() });
  } finally {
    // Also recorded after a failure, since some objects of the rejected film may have been sent.
    await recordDeidentified(context, offered, request, node.name);
  }
  const { sentObjects, sentBatches, failure } = outcome;
  const sent = offered.slice(0, sentBatches);
  const ids = new Set(offered.map(({ film }) => film.id));
  return {
    keyFile: request.withKeyFile && offered.length > 0 ? keyFileOf(offered, context.now()) : null,
    films: sent.length,
    skipped: failure ? [] : request.films.map(({ filmId }) => filmId).filter((filmId) => !ids.has(filmId)),
    sentObjects,
    failure,
  };
}
