import type { annotationsContract } from "../../../core/contract/desktop/annotations.ts";
import { annotationVersions, saveAnnotations } from "../../services/worklist/annotations.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** What persons draw on films. */
export function annotationHandlers({ context }: DesktopParts): Handlers<keyof typeof annotationsContract> {
  return {
    "annotations.list": ({ filmId }) => ({ versions: annotationVersions(context.db, filmId) }),
    "annotations.save": (request) => saveAnnotations(context, request),
  };
}
