import type { Film } from "../../contract/desktop/films.ts";

/**
 * Whether a film's file can be measured again. That of a capture session is the film already cut out of the photograph:
 * by itself it would pass for a photograph without a screen in it.
 */
export function canMeasureAgain({ hasImage, origin }: Pick<Film, "hasImage" | "origin">): boolean {
  return hasImage && origin !== "capture";
}
