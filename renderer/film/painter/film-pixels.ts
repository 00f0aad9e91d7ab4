import type { Film } from "../../../core/contract/desktop/films.ts";
import { ProgramError, fetchOrOffline } from "../../state/connection.ts";
import type { Size } from "../view.ts";
import { automaticWindow, wholeRange, type GreyWindow } from "../window/window-level.ts";

/** Grey samples of a film, row-major. */
export type FilmPixels = Size & {
  readonly data: Uint8Array | Uint16Array;
  /** Sample value of white: 255, or 2^bits - 1. */
  readonly most: number;
  /** Window from the film's header, as fractions of its range; null if absent. */
  readonly window: GreyWindow | null;
  /** Rescale to `slope * sample + intercept`, in the unit named by the file; null if the file has no rescale. */
  readonly value: { readonly slope: number; readonly intercept: number; readonly unit: string | null } | null;
  /** 256 equal bins over the whole range. */
  readonly histogram: Uint32Array;
};

/** Those of the rectified film for a photograph; null once they are no longer stored. */
export function pixelsUrl({ urls }: Pick<Film, "urls">): string | null {
  return urls.rectified ?? urls.pixels;
}

/** @throws ProgramError OFFLINE, NOT_FOUND for a missing file, INVALID_IMAGE, or UNKNOWN for another response */
export async function loadFilmPixels(url: string, signal: AbortSignal): Promise<FilmPixels> {
  const response = await fetchOrOffline(() => fetch(url, { signal }));
  if (!response.ok)
    throw new ProgramError({ code: response.status === 404 ? "NOT_FOUND" : "UNKNOWN", message: response.statusText });
  const type = response.headers.get("content-type") ?? "";
  return type.startsWith("image/")
    ? fromPicture(await response.blob())
    : fromSamples(response.headers, await response.arrayBuffer());
}

function fromSamples(headers: Headers, buffer: ArrayBuffer): FilmPixels {
  const bits = Number(headers.get("x-bits") ?? 8);
  const data = bits > 8 ? new Uint16Array(buffer) : new Uint8Array(buffer);
  const size = { widthPx: Number(headers.get("x-width")), heightPx: Number(headers.get("x-height")) };
  if (!(size.widthPx > 0) || data.length !== size.widthPx * size.heightPx)
    throw new ProgramError({ code: "INVALID_IMAGE", message: "Image could not be decoded" });
  return finished(size, data, bits > 8 ? 2 ** bits - 1 : 255, headers);
}

/** Decodes a rectified photograph, which is a JPEG file. */
async function fromPicture(blob: Blob): Promise<FilmPixels> {
  const bitmap = await createImageBitmap(blob);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  if (!context) throw new Error("the canvas has no 2D context");
  context.drawImage(bitmap, 0, 0);
  const colours = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  const grey = new Uint8Array(bitmap.width * bitmap.height);
  for (let index = 0; index < grey.length; index++) {
    const at = index * 4;
    grey[index] =
      0.299 * (colours[at] as number) + 0.587 * (colours[at + 1] as number) + 0.114 * (colours[at + 2] as number) + 0.5;
  }
  return finished({ widthPx: bitmap.width, heightPx: bitmap.height }, grey, 255, new Headers());
}

function finished(size: Size, data: FilmPixels["data"], most: number, headers: Headers): FilmPixels {
  const histogram = new Uint32Array(256);
  const scale = 256 / (most + 1);
  // Every seventh sample suffices for the percentiles and keeps opening large films fast.
  for (let index = 0; index < data.length; index += 7) {
    const bin = ((data[index] as number) * scale) | 0;
    histogram[bin] = (histogram[bin] as number) + 1;
  }
  const [centre, width] = numbersOf(headers, "x-window-centre", "x-window-width");
  const [slope, intercept] = numbersOf(headers, "x-value-slope", "x-value-intercept");
  return {
    ...size,
    data,
    most,
    histogram,
    window:
      centre !== undefined && width !== undefined && width > 0 ? { centre: centre / most, width: width / most } : null,
    value:
      slope !== undefined && intercept !== undefined ? { slope, intercept, unit: headers.get("x-value-unit") } : null,
  };
}

/** Numbers in the given headers; empty if one is missing. */
function numbersOf(headers: Headers, ...names: readonly string[]): readonly number[] {
  const numbers = names.map((name) => Number.parseFloat(headers.get(name) ?? ""));
  return numbers.every(Number.isFinite) ? numbers : [];
}

/** From the header, else the full range of an 8-bit film or the percentile range of a deeper one. */
export function ownWindow({ window, most, histogram }: FilmPixels): GreyWindow {
  return window ?? (most > 255 ? automaticWindow(histogram) : wholeRange);
}

/** Halves the size by averaging, for films larger than the graphics card supports. */
export function halved(film: FilmPixels): FilmPixels {
  const widthPx = film.widthPx >> 1;
  const heightPx = film.heightPx >> 1;
  const data =
    film.data instanceof Uint8Array ? new Uint8Array(widthPx * heightPx) : new Uint16Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const at = 2 * y * film.widthPx + 2 * x;
      const below = at + film.widthPx;
      const sum =
        (film.data[at] as number) +
        (film.data[at + 1] as number) +
        (film.data[below] as number) +
        (film.data[below + 1] as number);
      data[y * widthPx + x] = sum >> 2;
    }
  }
  return { ...film, widthPx, heightPx, data };
}
