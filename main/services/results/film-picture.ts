import sharp from "sharp";
import type { Language } from "../../../core/language/languages.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";
import { drawnLongestSidePx, drawReading } from "./drawn-reading.ts";
import { readFilm, readFilmOfResults } from "./film-of-results.ts";
import { baseNameOf, markWords } from "./report-handout.ts";
import type { ResultsContext } from "./results-context.ts";

/**
 * @param language  language of the marks; null for the film without marks
 *
 * @throws AppError NOT_FOUND for a missing film or image, CONFLICT for marks without a reading
 */
export async function makePicture(
  context: ResultsContext,
  filmId: string,
  language: Language | null,
): Promise<{ readonly fileName: string; readonly bytes: Buffer }> {
  const { dicom } = context;
  const of = await (language === null ? readFilm : readFilmOfResults)(context, filmId);
  const { film, subject, original, rectified } = of;
  const { frameIndex } = film;
  const picture = rectified ?? original;
  const { data, widthPx, heightPx } =
    language === null
      ? await (await openRadiograph(dicom, picture, { frameIndex })).fullColour(drawnLongestSidePx)
      : await drawReading(dicom, picture, subject.readings, {
          frameIndex,
          isWithStrip: false,
          drawings: subject.drawings,
          ...markWords(language),
        });
  const raw = { width: widthPx, height: heightPx, channels: 3 } as const;
  return { fileName: `${baseNameOf(film.fileName)}.png`, bytes: await sharp(data, { raw }).png().toBuffer() };
}
