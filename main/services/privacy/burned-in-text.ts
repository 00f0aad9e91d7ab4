import sharp from "sharp";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { suspectedText } from "../../../core/deidentification/suspected-text.ts";
import { lumaOf } from "../../imaging/pixel-colours.ts";
import { saveExport } from "../desktop/exports.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";
import { readFilm } from "../results/film-of-results.ts";
import type { ResultsContext } from "../results/results-context.ts";

/** Longest side of the displayed and of the searched picture [px]. */
const longestSidePx = { shown: 1600, searched: 1000 } as const;

/**
 * Detects suspected burned-in text in a film and renders the film for review.
 *
 * @throws AppError NOT_FOUND, and errors of opening the film
 */
export async function findBurnedInText(
  context: ResultsContext,
  filmId: string,
): Promise<DesktopResponse<"deidentify.look">> {
  const { film, original, rectified, subject, pixelSource } = await readFilm(context, filmId);
  const image = await openRadiograph(context.dicom, rectified ?? original, { frameIndex: film.frameIndex });
  const { data, widthPx, heightPx } = await image.fullColour(longestSidePx.shown);
  const grey = sharp(lumaOf(data), { raw: { width: widthPx, height: heightPx, channels: 1 } });
  const jpeg = await grey.clone().jpeg({ quality: 85 }).toBuffer();
  const longest = { width: longestSidePx.searched, height: longestSidePx.searched };
  const scaled = await grey
    .resize({ ...longest, fit: "inside", withoutEnlargement: true, kernel: "nearest" })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const said = (pixelSource ?? subject.source)?.text("00280301");
  return {
    picture: { fileName: "film.jpg", url: await saveExport(context.dataDir, "jpg", jpeg) },
    suspected: suspectedText({ data: scaled.data, widthPx: scaled.info.width, heightPx: scaled.info.height }),
    said: said === "YES" ? "yes" : said === "NO" ? "no" : "nothing",
  };
}
