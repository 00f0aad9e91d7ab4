import { wholeRange, type SampleWindow } from "../../imaging/sample-window.ts";
import type { DicomFile } from "../dicom-file.ts";
import type { DicomFrame } from "./dicom-frame.ts";
import { exposedField, type ExposedField } from "./exposed-field.ts";
import type { FrameWords } from "./frame-words.ts";
import { measuredWindow, shownWindow } from "./percentile-windows.ts";
import { lookUp, lookUpTable, type InputRange, type LookUpTable } from "./look-up-table.ts";
import type { PictureDescription } from "./picture-description.ts";
import { storedFormOf, storedValueOf, type StoredForm } from "./stored-value.ts";

type GreyChain = {
  readonly modality: { readonly slope: number; readonly intercept: number } | LookUpTable;
  readonly interest: { readonly kind: "linear" | "sigmoid"; readonly window: SampleWindow } | LookUpTable | null;
  readonly isInverse: boolean;
};

type Levels = {
  readonly samples: Int32Array;
  readonly bits: number;
  readonly window: SampleWindow | null;
  readonly value: { readonly slope: number; readonly intercept: number } | null;
};

/**
 * Converts the words of a grey frame to samples in which larger is brighter. A sample depends only on its word, so it
 * is computed once for each possible word and then looked up. @see DICOM PS3.3 C.11.1, C.11.2, C.7.6.3.1
 */
export function greyFrame(
  file: DicomFile,
  picture: PictureDescription,
  frame: FrameWords,
): Omit<DicomFrame, "widthPx" | "heightPx" | "isShapeDoubtful" | "colour"> {
  const counts = countsOf(frame.words, null);
  const form = storedFormOf(file, picture, frame, counts);
  const stored = forEachWord(counts, (word) => storedValueOf(word, form, frame.precisionBits));
  const isShown = shownWords(file, form, counts, stored);
  const isPlainByte = form.bitsStored <= 8;
  const chain = chainOf(file, picture, extent(stored, isShown));
  const straight = straightLevels(chain, stored, isShown, isPlainByte && !form.isSigned);
  const stated = curvedLevels(chain, stored, isShown) ?? straight;
  const levels = showsFilm(stated, counts, isShown) ? stated : { ...straight, window: null };
  const field = exposedField(file, picture);
  const exposed = field ? countsOf(frame.words, { ...field, widthPx: picture.widthPx }) : counts;
  const samples = samplesOf(frame.words, levels);
  return {
    samples,
    bits: levels.bits,
    window: levels.window ?? (isPlainByte ? wholeRange(levels.bits) : shownWindow(straight, exposed, isShown)),
    measured: {
      samples: levels === straight ? samples : samplesOf(frame.words, straight),
      window: measuredWindow(straight, exposed, isShown, isPlainByte),
    },
    isWindowIgnored: levels !== stated,
    value: levels.value && { ...levels.value, unit: unitOf(file) },
  };
}

function samplesOf(words: FrameWords["words"], levels: Levels): Uint8Array | Uint16Array {
  const samples = levels.bits > 8 ? new Uint16Array(words.length) : new Uint8Array(words.length);
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = levels.samples[words[index] as number] as number;
  return samples;
}

/**
 * Builds a table with an entry for each word. Uses loops, here and below: `from` with a function would take longer for
 * the table than a small film takes as a whole.
 */
function forEachWord(words: { readonly length: number }, entryOf: (word: number) => number): Int32Array {
  const table = new Int32Array(words.length);
  for (let word = 0; word < table.length; word += 1) table[word] = entryOf(word);
  return table;
}

/** Number of pixels of each word, up to the highest that occurs. */
export function countsOf(
  words: Uint8Array | Uint16Array,
  field: (ExposedField & { readonly widthPx: number }) | null,
): Uint32Array {
  const counts = new Uint32Array(words instanceof Uint8Array ? 256 : 65_536);
  let highest = 0;
  const count = (begin: number, end: number) => {
    for (let index = begin; index < end; index += 1) {
      const word = words[index] as number;
      counts[word] = (counts[word] as number) + 1;
      if (word > highest) highest = word;
    }
  };
  if (field === null) count(0, words.length);
  else
    field.from.forEach((from, row) =>
      count(row * field.widthPx + from, row * field.widthPx + (field.to[row] as number)),
    );
  return counts.subarray(0, highest + 1);
}

/** 1 for each word that occurs and is not padding; for each that occurs, if the film is nothing but padding. */
function shownWords(file: DicomFile, form: StoredForm, counts: Uint32Array, stored: Int32Array): Int32Array {
  const paddingOf = (tag: string) => {
    const value = file.number(tag);
    return value === null ? null : withSignOf(form, value);
  };
  const padding = paddingOf("00280120");
  const limit = paddingOf("00280121") ?? padding;
  const [low, high] =
    padding === null || limit === null ? [1, 0] : [Math.min(padding, limit), Math.max(padding, limit)];
  const occurs = (word: number) => (counts[word] as number) > 0;
  const shown = forEachWord(counts, (word) =>
    occurs(word) && !((stored[word] as number) >= low && (stored[word] as number) <= high) ? 1 : 0,
  );
  return shown.includes(1) ? shown : forEachWord(counts, (word) => (occurs(word) ? 1 : 0));
}

/** Converts a padding value to the sign of the stored values; some writers use the other sign or omit upper bits. */
function withSignOf({ bitsStored, isSigned }: StoredForm, value: number): number {
  if (!isSigned) return value < 0 ? value + 65_536 : value;
  if (value < 2 ** (bitsStored - 1)) return value;
  return value - (value < 2 ** bitsStored ? 2 ** bitsStored : 65_536);
}

/** Reads the grey transformations. Window and VOI LUT are ignored if the modality's values cannot be read. */
function chainOf(file: DicomFile, picture: PictureDescription, stored: InputRange): GreyChain {
  const modalityItems = file.items("00283000");
  const table = (items: typeof modalityItems, inputs: InputRange) =>
    items
      .map((item) => lookUpTable(item, "00283002", "00283006", file.isBigEndian, inputs))
      .find((found) => found !== null) ?? null;
  const modalityTable = table(modalityItems, stored);
  const modality = modalityTable ?? { slope: file.number("00281053") || 1, intercept: file.number("00281052") ?? 0 };
  const isModalityKnown =
    modalityTable !== null ||
    (modalityItems.length === 0 && !file.isUnreadable("00281053") && !file.isUnreadable("00281052"));
  const ends = stored.map(modalityFunction(modality));
  const outputs = modalityTable
    ? extentOf(modalityTable.entries)
    : ([Math.min(...ends), Math.max(...ends)] as InputRange);
  return {
    modality,
    interest: isModalityKnown ? (windowOf(file) ?? table(file.items("00283010"), outputs)) : null,
    isInverse: picture.photometric === "MONOCHROME1" || file.text("20500020") === "INVERSE",
  };
}

/** Unit of the modality's values as written in the file ("HU"); null if missing or unspecified. */
function unitOf(file: DicomFile): string | null {
  const [table] = file.items("00283000");
  const unit = table ? table.text("00283004") : file.text("00281054");
  return unit !== null && unit !== "US" && /^[!-~]{1,16}$/.test(unit) ? unit : null;
}

/** As LINEAR_EXACT: the standard's LINEAR has its centre half a value lower and is one value narrower. */
function windowOf(file: DicomFile): { readonly kind: "linear" | "sigmoid"; readonly window: SampleWindow } | null {
  const centre = file.number("00281050");
  const width = file.number("00281051");
  if (centre === null || width === null || !(width > 0)) return null;
  const shape = file.text("00281056");
  if (shape === "SIGMOID") return { kind: "sigmoid", window: { centre, width } };
  if (shape === "LINEAR_EXACT") return { kind: "linear", window: { centre, width } };
  return { kind: "linear", window: { centre: centre - 0.5, width: Math.max(width - 1, 0.5) } };
}

function modalityFunction(modality: GreyChain["modality"]): (value: number) => number {
  return "entries" in modality
    ? (value) => lookUp(modality, value)
    : (value) => modality.slope * value + modality.intercept;
}

/** Levels before the VOI transformation. A linear rescale is applied to the window, so that samples stay integers. */
function straightLevels(chain: GreyChain, stored: Int32Array, isShown: Int32Array, isPlainByte: boolean): Levels {
  const { modality, interest } = chain;
  const line = "entries" in modality ? { slope: 1, intercept: 0 } : modality;
  const modalityValue = modalityFunction(modality);
  const quantities =
    "entries" in modality ? forEachWord(stored, (word) => modalityValue(stored[word] as number)) : stored;
  const isTurned = chain.isInverse !== line.slope < 0;
  const [low, high] = isPlainByte && !("entries" in modality) ? [0, 255] : extent(quantities, isShown);
  const place = (quantity: number) => (isTurned ? high - quantity : quantity - low);
  const samples = forEachWord(isShown, (word) => (isShown[word] ? place(quantities[word] as number) : 0));
  const window = interest &&
    !("entries" in interest) && {
      centre: place((interest.window.centre - line.intercept) / line.slope),
      width: interest.window.width / Math.abs(line.slope),
    };
  const value = {
    slope: isTurned ? -line.slope : line.slope,
    intercept: line.slope * (isTurned ? high : low) + line.intercept,
  };
  // A damaged rescale can result in infinite values; the film is then shown without it.
  return {
    samples,
    bits: Math.max(8, 32 - Math.clz32(high - low)),
    window: window && isFinite(window.centre, window.width) ? window : null,
    value: isFinite(value.slope, value.intercept) ? value : null,
  };
}

/** Applies a table or a sigmoid to the shown values; the output fills 16 bits. null without either. */
function curvedLevels(chain: GreyChain, stored: Int32Array, isShown: Int32Array): Levels | null {
  const { modality, interest, isInverse } = chain;
  if (interest === null || (!("entries" in interest) && interest.kind === "linear")) return null;
  const modalityValue = modalityFunction(modality);
  const samples = forEachWord(isShown, (word) => {
    if (!isShown[word]) return 0;
    const share = interestOf(interest, modalityValue(stored[word] as number));
    return Math.round(65_535 * (isInverse ? 1 - share : share));
  });
  return { samples, bits: 16, window: wholeRange(16), value: null };
}

/** Maximum fraction of a film that its own window shows in black, or in white. */
const largestPlainShare = 0.99;

/** Whether a file's window or table shows its film. Some writers leave 0 and 1, or the values of another film. */
function showsFilm({ samples, window, bits }: Levels, counts: Uint32Array, isShown: Int32Array): boolean {
  if (window === null) return true;
  const [low, high] = [window.centre - window.width / 2, window.centre + window.width / 2];
  let [all, black, white, levels] = [0, 0, 0, 0];
  for (let word = 0; word < counts.length; word += 1) {
    if (!isShown[word]) continue;
    const [sample, count] = [samples[word] as number, counts[word] as number];
    levels += 1;
    all += count;
    if (sample <= Math.max(0, low)) black += count;
    else if (sample >= Math.min(2 ** bits - 1, high)) white += count;
  }
  return Math.max(black, white) <= largestPlainShare * all || levels <= 2;
}

function interestOf(interest: LookUpTable | { readonly window: SampleWindow }, value: number): number {
  if ("entries" in interest) return Math.min(1, lookUp(interest, value) / interest.white);
  return 1 / (1 + Math.exp((-4 * (value - interest.window.centre)) / interest.window.width));
}

function isFinite(...numbers: readonly number[]): boolean {
  return numbers.every(Number.isFinite);
}

function extentOf(values: Uint16Array): InputRange {
  return [
    values.reduce((least, value) => Math.min(least, value)),
    values.reduce((most, value) => Math.max(most, value)),
  ];
}

function extent(quantities: Int32Array, isShown: Int32Array): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let word = 0; word < quantities.length; word += 1) {
    if (!isShown[word]) continue;
    const quantity = quantities[word] as number;
    low = Math.min(low, quantity);
    high = Math.max(high, quantity);
  }
  return [low, high];
}
