import sharp from "sharp";
import { explicitLittleEndian } from "../../../main/dicom/transfer-syntaxes.ts";
import { bytes, dataSet, partTen, text, us, type Written } from "./dicom-writer.ts";

export type PhantomFacts = {
  readonly instance: string;
  readonly study?: string;
  readonly series?: string;
  readonly instanceNumber?: number;
  readonly patientId?: string | null;
  readonly issuer?: string | null;
  readonly patientName?: string;
  readonly accession?: string;
  readonly responsiblePerson?: string;
  readonly species?: string | null;
  readonly view?: string | null;
  readonly modality?: string;
  readonly frames?: number;
  readonly grey?: number;
};

/** A DICOM film as a list of elements: a plain grey picture of 96 x 80 px, or the one given. */
export function phantomElements(
  facts: PhantomFacts,
  picture?: { readonly grey: Buffer; readonly widthPx: number; readonly heightPx: number },
): Written[] {
  const { frames = 1, grey = 120 } = facts;
  const [widthPx, heightPx] = picture ? [picture.widthPx, picture.heightPx] : [96, 80];
  const pixels =
    picture?.grey ??
    Buffer.concat(Array.from({ length: frames }, (_, frame) => Buffer.alloc(widthPx * heightPx, grey + frame * 20)));
  const study = facts.study ?? "1.2.3.100";
  return [
    text("00080005", "CS", "ISO_IR 192"),
    text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
    text("00080018", "UI", facts.instance),
    text("00080020", "DA", "20250203"),
    text("00080030", "TM", "101500"),
    ...(facts.accession ? [text("00080050", "SH", facts.accession)] : []),
    text("00080060", "CS", facts.modality ?? "DX"),
    text("00081030", "LO", "Thorax"),
    text("00100010", "PN", facts.patientName ?? "Sommer^Bella"),
    ...(facts.patientId === null ? [] : [text("00100020", "LO", facts.patientId ?? "P-77")]),
    ...(facts.issuer === null ? [] : [text("00100021", "LO", facts.issuer ?? "Praxis am See")]),
    ...(facts.species === null ? [] : [text("00102201", "LO", facts.species ?? "Canine")]),
    text("00102292", "LO", "Beagle"),
    text("00102297", "PN", facts.responsiblePerson ?? "Sommer^Änne"),
    ...(facts.view === null ? [] : [text("00185101", "CS", facts.view ?? "LL")]),
    text("0020000D", "UI", study),
    text("0020000E", "UI", facts.series ?? `${study}.1`),
    text("00200013", "IS", String(facts.instanceNumber ?? 1)),
    us("00280002", 1),
    text("00280004", "CS", "MONOCHROME2"),
    ...(frames > 1 ? [text("00280008", "IS", String(frames))] : []),
    us("00280010", heightPx),
    us("00280011", widthPx),
    us("00280100", 8),
    us("00280101", 8),
    us("00280102", 7),
    us("00280103", 0),
    bytes("7FE00010", "OB", pixels.length % 2 === 0 ? pixels : Buffer.concat([pixels, Buffer.alloc(1)])),
  ];
}

export function phantomFile(facts: PhantomFacts): Buffer {
  return storedAs(facts, dataSet(...phantomElements(facts)));
}

function storedAs({ instance }: PhantomFacts, content: Buffer): Buffer {
  return partTen(explicitLittleEndian, content, [
    text("00020002", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
    text("00020003", "UI", instance),
  ]);
}

export async function phantomFromJpeg(jpeg: string, facts: PhantomFacts): Promise<Buffer> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  return storedAs(
    facts,
    dataSet(...phantomElements(facts, { grey: data, widthPx: info.width, heightPx: info.height })),
  );
}
