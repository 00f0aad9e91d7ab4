import { shownSamples } from "../../../../main/imaging/sample-window.ts";
import type { Codecs } from "../../../../main/dicom/pixels/coded/codec-module.ts";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";
import { bytes, sequence, text, us, type Written } from "../dicom-writer.ts";
import { madeBy, samplesOfPortableMap } from "./dicom-tools.ts";
import { largestDifference, nativeFile, phantomFilm, type Phantom } from "./phantom-film.ts";

export const toolsOfDcmtk = ["dcmconv", "dcmcrle", "dcmcjpeg", "dcmcjpls", "dcm2pnm", "dcmj2pnm", "dcml2pnm"] as const;

const films = [
  "dog-01",
  "dog-02",
  "dog-03",
  "dog-04",
  "dog-05",
  "dog-06",
  "dog-07",
  "dog-08",
  "dog-large-01",
  "cat-01",
];
const size = { widthPx: 61, heightPx: 52 };

const syntaxes = [
  { name: "explicit", writer: ["dcmconv", "+te"], judge: "dcm2pnm", mostBits: 16, isLossy: false },
  { name: "implicit", writer: ["dcmconv", "+ti"], judge: "dcm2pnm", mostBits: 16, isLossy: false },
  { name: "big endian", writer: ["dcmconv", "+tb"], judge: "dcm2pnm", mostBits: 16, isLossy: false },
  { name: "deflated", writer: ["dcmconv", "+td"], judge: "dcm2pnm", mostBits: 16, isLossy: false },
  { name: "RLE", writer: ["dcmcrle"], judge: "dcm2pnm", mostBits: 16, isLossy: false },
  { name: "JPEG lossless", writer: ["dcmcjpeg", "+e1"], judge: "dcmj2pnm", mostBits: 16, isLossy: false },
  {
    name: "JPEG lossless, predictor 6",
    writer: ["dcmcjpeg", "+el", "+sv", "6"],
    judge: "dcmj2pnm",
    mostBits: 16,
    isLossy: false,
  },
  { name: "JPEG baseline", writer: ["dcmcjpeg", "+eb"], judge: "dcmj2pnm", mostBits: 8, isLossy: true },
  { name: "JPEG extended", writer: ["dcmcjpeg", "+ee"], judge: "dcmj2pnm", mostBits: 12, isLossy: true },
  { name: "JPEG-LS", writer: ["dcmcjpls", "+el"], judge: "dcml2pnm", mostBits: 16, isLossy: false },
] as const;
const bitsStored = [8, 10, 12, 14, 16] as const;
/**
 * Transformations from stored values to greys. Omitted because DCMTK differs from the standard: LINEAR_EXACT, which it
 * renders as LINEAR, and fractional slopes, whose values it truncates to integers.
 */
const greys = ["window", "two windows", "sigmoid", "rescale", "rescale down", "VOI table", "modality table"] as const;

export type ComparedCase = {
  readonly index: number;
  readonly film: string;
  readonly syntax: (typeof syntaxes)[number];
  readonly bits: number;
  readonly isSigned: boolean;
  readonly photometric: "MONOCHROME1" | "MONOCHROME2";
  readonly grey: (typeof greys)[number];
  readonly random: () => number;
};

export function caseOf(index: number): ComparedCase {
  const random = seededRandom(20_261_128 + index);
  const pick = <Choice>(choices: readonly Choice[]): Choice => choices[Math.floor(random() * choices.length)] as Choice;
  const syntax = pick(syntaxes);
  return {
    index,
    film: pick(films),
    syntax,
    bits: pick(bitsStored.filter((bits) => bits <= syntax.mostBits)),
    isSigned: pick([false, false, true]),
    photometric: pick(["MONOCHROME1", "MONOCHROME2", "MONOCHROME2"] as const),
    // dcmcjpeg drops VOI tables in lossy compression.
    grey: pick(greys.filter((grey) => grey !== "VOI table" || !syntax.isLossy)),
    random,
  };
}

export function nameOfCase({ index, film, syntax, bits, isSigned, photometric, grey }: ComparedCase): string {
  return `${index}: ${film}, ${syntax.name}, ${bits} bits${isSigned ? " signed" : ""}, ${photometric}, ${grey}`;
}

/**
 * Largest difference of grey levels between this reader and DCMTK. 0 for a film that DCMTK renders entirely black or
 * white, where the film's range replaces the file's window.
 */
export async function differenceOf(compared: ComparedCase, codecs: Codecs): Promise<number> {
  const film = await phantomFilm(compared.bits, compared.isSigned, size, compared.film);
  const { elements, judge } = greyElements(compared, film);
  const plain = nativeFile(film, [...elements, text("00280004", "CS", compared.photometric)]);
  const [writer, ...args] = compared.syntax.writer;
  const file = madeBy(writer, [...args, "IN", "OUT"], plain);
  const judged = madeBy(compared.syntax.judge, [...judge, "+op", "IN", "OUT"], file, { in: ".dcm", out: ".pgm" });
  const { samples, window, isWindowIgnored } = await readFrame(file, 0, async () => codecs);
  const greys = samplesOfPortableMap(judged);
  const showsNothing = [0, 255].some((plain) => greys.filter((grey) => grey === plain).length > 0.99 * greys.length);
  return isWindowIgnored && showsNothing ? 0 : largestDifference([...shownSamples(samples, window)], greys);
}

const decimal = (tag: string, ...values: number[]) =>
  text(tag, "DS", values.map((value) => value.toFixed(3)).join("\\"));

function greyElements(
  { grey, random }: ComparedCase,
  { bitsStored, isSigned }: Phantom,
): { readonly elements: readonly Written[]; readonly judge: readonly string[] } {
  const span = 2 ** bitsStored;
  const low = isSigned ? -span / 2 : 0;
  const [centre, width] = [low + span * (0.2 + 0.6 * random()), 2 + span * random()];
  const shownBy = (shape?: string, line = { slope: 1, intercept: 0 }) => [
    decimal("00281050", line.slope * centre + line.intercept),
    decimal("00281051", Math.abs(line.slope) * width),
    ...(shape ? [text("00281056", "CS", shape)] : []),
  ];
  const rescaled = (slope: number) => {
    const line = { slope, intercept: Math.round(2000 * (random() - 0.5)) };
    return [...shownBy(undefined, line), decimal("00281052", line.intercept), decimal("00281053", line.slope)];
  };
  switch (grey) {
    case "window":
      return { elements: shownBy(), judge: ["+Wi", "1"] };
    case "two windows":
      return { elements: [decimal("00281050", centre, 1), decimal("00281051", width, 2)], judge: ["+Wi", "1"] };
    case "sigmoid":
      return { elements: shownBy("SIGMOID"), judge: ["+Wi", "1"] };
    case "rescale":
      return { elements: rescaled(1 + Math.floor(4 * random())), judge: ["+Wi", "1"] };
    case "rescale down":
      return { elements: rescaled(-1 - Math.floor(4 * random())), judge: ["+Wi", "1"] };
    case "VOI table":
      return { elements: [tableOf("00283010", low, 12, random)], judge: ["+Wl", "1"] };
    case "modality table": {
      const window = [decimal("00281050", 2048), decimal("00281051", 500 + 3000 * random())];
      return { elements: [tableOf("00283000", low, 12, random), ...window], judge: ["+Wi", "1"] };
    }
  }
}

function tableOf(tag: string, low: number, bits: number, random: () => number): Written {
  const power = 0.4 + 2 * random();
  const entries = Uint16Array.from({ length: 4096 }, (_, index) =>
    Math.round((2 ** bits - 1) * (index / 4095) ** power),
  );
  const descriptor = us("00283002", entries.length, low & 0xffff, bits);
  return sequence(tag, [
    low < 0 ? { ...descriptor, vr: "SS" } : descriptor,
    ...(tag === "00283000" ? [text("00283004", "LO", "US")] : []),
    bytes("00283006", "OW", Buffer.from(entries.buffer)),
  ]);
}
