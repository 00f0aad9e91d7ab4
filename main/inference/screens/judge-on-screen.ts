import type { DecodedImage } from "../../imaging/decode-image.ts";
import type { GatePack, Instruments, PassedFilm } from "../instruments.ts";
import { imageLevels } from "../views/sample-frame.ts";
import { judgeFilm } from "./colour-networks.ts";
import { filmOnScreen } from "./film-on-screen.ts";
import { isPopEnabled, type FoundCorners } from "./photographs.ts";

/**
 * Judges the film in the picture of a screen that a program took.
 *
 * @returns null where no film stands upright in it, or none that the gate takes for one
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
