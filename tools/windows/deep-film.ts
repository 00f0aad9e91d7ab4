import sharp from "sharp";
import { numbers, text, uid, words, writeFile, type DataSet } from "../../main/dicom/results/data-set.ts";
import { uidOf } from "../../main/dicom/results/uids.ts";
import { programVersion } from "../../main/program.ts";

/** A film of 8 bits as a 12-bit Digital X-Ray object, which is what a detector writes. */
export type DeepFilm = { readonly widthPx: number; readonly heightPx: number; readonly samples: Uint16Array };

/** Grey that a picture shows as 0, and how far its white lies above it [stored values]: a film never fills 12 bits. */
const range = { black: 300, span: 3200 } as const;

/** Spreads the greys of a JPEG or PNG over twelve bits. */
export async function deepFilm(picture: string | Uint8Array): Promise<DeepFilm> {
  const { data, info } = await sharp(picture)
    .flatten({ background: "black" })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const samples = Uint16Array.from(data, (grey) => range.black + Math.round((grey / 255) * range.span));
  return { widthPx: info.width, heightPx: info.height, samples };
}

/** The window under which a deep film looks as the picture that it was made of. */
export const rightWindow = windowElements(range.black + range.span / 2, range.span);

/** Window Centre and Width as a data set has them. */
function windowElements(centre: number, width: number): DataSet {
  return { "00281050": numbers("DS", centre), "00281051": numbers("DS", width) };
}

/** Ten ways in which writers get a window wrong, each with its name. */
export const wrongWindows: readonly (readonly [name: string, elements: DataSet])[] = [
  ["1000 wide, low", windowElements(600, 1000)],
  ["1000 wide, high", windowElements(3200, 1000)],
  ["1 wide in the middle", windowElements(1900, 1)],
  ["writer default 32768/65535", windowElements(32_768, 65_535)],
  ["all of 12 bits", windowElements(2048, 4096)],
  ["below every value", windowElements(-1000, 400)],
  ["above every value", windowElements(9000, 400)],
  ["sigmoid, narrow", { ...windowElements(1000, 300), "00281056": words("SIGMOID") }],
  ["8-bit window on 12 bits", windowElements(128, 256)],
  ["none", {}],
];

/** The film as a file; `elements` replace and add. */
export function deepFilmFile({ widthPx, heightPx, samples }: DeepFilm, elements: DataSet): Uint8Array {
  return writeFile(
    {
      "00080016": uid("1.2.840.10008.5.1.4.1.1.1.1"),
      "00080018": uid(uidOf("windows", String(widthPx), String(samples.length))),
      "00080060": words("DX"),
      "00100010": text("PN", "Windows"),
      "0020000D": uid(uidOf("windows", "study")),
      "0020000E": uid(uidOf("windows", "series")),
      "00280002": numbers("US", 1),
      "00280004": words("MONOCHROME2"),
      "00280010": numbers("US", heightPx),
      "00280011": numbers("US", widthPx),
      "00280100": numbers("US", 16),
      "00280101": numbers("US", 12),
      "00280102": numbers("US", 11),
      "00280103": numbers("US", 0),
      "7FE00010": { vr: "OW", Value: [new Uint16Array(samples).buffer] },
      ...elements,
    },
    programVersion,
  );
}
