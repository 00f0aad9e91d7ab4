import type { ElementValues } from "../elements/dicom-elements.ts";
import { numbers, sequence, text, words, type DataSet } from "../results/data-set.ts";
import { copied } from "../results/modules.ts";

/**
 * Copies a film's transformations from stored values to greys, all of which a presentation state replaces; null if a
 * table cannot be copied, without which the film would look different. @see DICOM PS3.4 N.2
 */
export function greyChain(source: ElementValues | null): DataSet | null {
  const modality = source ? modalityOf(source) : {};
  const interest = source ? interestOf(source) : {};
  const isInverse = source?.text("00280004")?.toUpperCase() === "MONOCHROME1" || source?.text("20500020") === "INVERSE";
  return modality && interest && { ...modality, ...interest, "20500020": words(isInverse ? "INVERSE" : "IDENTITY") };
}

function modalityOf(source: ElementValues): DataSet | null {
  const [item] = source.items("00283000");
  if (item) {
    const table = tableOf(item);
    return table && { "00283000": sequence({ ...table, "00283004": text("LO", item.text("00283004") ?? "US") }) };
  }
  const line = copied(source, { "00281052": "DS", "00281053": "DS", "00281054": "LO" });
  return line["00281052"] && line["00281053"] ? { "00281054": text("LO", "US"), ...line } : {};
}

/** The first window, else a table; same order as on screen. */
function interestOf(source: ElementValues): DataSet | null {
  const [centre, width] = [source.number("00281050"), source.number("00281051")];
  if (centre !== null && width !== null && width > 0) {
    const window = { "00281050": numbers("DS", centre), "00281051": numbers("DS", width) };
    return { "00283110": sequence({ ...window, ...copied(source, { "00281056": "CS" }) }) };
  }
  const [item] = source.items("00283010");
  if (!item) return {};
  const table = tableOf(item);
  return table && { "00283110": sequence({ "00283010": sequence(table) }) };
}

/** Copies descriptor and data of a table; null if either is incomplete. Two 8-bit entries may share a word. */
function tableOf(item: ElementValues): DataSet | null {
  const [count, first, bits] = item.numbers("00283002");
  const data = Uint16Array.from(item.numbers("00283006"));
  if (count === undefined || first === undefined || bits === undefined) return null;
  if (2 * data.length < (count & 0xffff || 65_536)) return null;
  return {
    "00283002": { vr: first < 0 ? "SS" : "US", Value: [count & 0xffff, first, bits] },
    "00283006": { vr: "OW", Value: [data.buffer] },
  };
}
