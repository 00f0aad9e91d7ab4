import type { annotationsContract } from "../../../core/contract/desktop/annotations.ts";
import type { keyFilmsContract } from "../../../core/contract/desktop/network/key-films.ts";
import type { marksContract } from "../../../core/contract/desktop/network/marks.ts";
import { annotationVersions, saveAnnotations } from "../../services/worklist/drawings/annotations.ts";
import { listKeyFilms, removeKeyFilms } from "../../services/worklist/marks/key-films.ts";
import { listMarks } from "../../services/worklist/marks/foreign-marks.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function annotationHandlers({
  context,
}: DesktopParts): Handlers<
  keyof typeof annotationsContract | keyof typeof marksContract | keyof typeof keyFilmsContract
> {
  return {
    "keyFilms.list": async () => ({ lists: await listKeyFilms(context.db) }),
    "keyFilms.remove": ({ sopInstanceUid }) => removeKeyFilms(context, sopInstanceUid),
    "marks.list": ({ filmId }) => listMarks(context, filmId),
    "annotations.list": async ({ filmId }) => ({ versions: await annotationVersions(context.db, filmId) }),
    "annotations.save": (request) => saveAnnotations(context, request),
  };
}
