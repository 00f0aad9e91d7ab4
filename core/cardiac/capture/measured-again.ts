import type { Film } from "../../contract/desktop/films.ts";

/**
 * Whether a film's file can be measured again. False for a capture session: its file is the film cut out of the
 * photograph, which the gate would classify as a photograph without a screen.
 */
export function canMeasureAgain({ hasImage, origin }: Pick<Film, "hasImage" | "origin">): boolean {
  return hasImage && origin !== "capture";
}
