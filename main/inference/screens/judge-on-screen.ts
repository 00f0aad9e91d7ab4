import type { DecodedImage } from "../../imaging/decode-image.ts";
import type { GatePack, Instruments, PassedFilm } from "../instruments.ts";
import { imageLevels } from "../views/sample-frame.ts";
import { judgeFilm } from "./colour-networks.ts";
import { filmOnScreen } from "./film-on-screen.ts";
import { isPopEnabled, type FoundCorners } from "./photographs.ts";

/**
 * Judges the film on a screenshot.
 *
 * @returns null without an upright film that the gate accepts
 */
export async function judgeOnScreen(
  instruments: Instruments,
  gate: GatePack,
  picture: DecodedImage,
  cornersOf: FoundCorners,
): Promise<PassedFilm | null> {
  if (!isPopEnabled(instruments.registry)) return null;
  const corners = await cornersOf();
  const onScreen = corners && filmOnScreen(picture, corners);
  if (!onScreen) return null;
  const verdict = await judgeFilm(instruments.call, gate.manifest, imageLevels(onScreen.film), null);
  return verdict.kind === "direct" ? { verdict, levels: imageLevels(onScreen.alone), film: onScreen.film } : null;
}
