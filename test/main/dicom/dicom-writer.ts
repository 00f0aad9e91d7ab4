/** Element of a DICOM writer for tests. Values are bytes, so that tests can write invalid ones. */
export type Written = { readonly tag: string; readonly vr: string; readonly value: Buffer };

const longVrs: ReadonlySet<string> = new Set(["OB", "OW", "OF", "OV", "SV", "UV", "SQ", "UN", "UT", "UC", "UR"]);

export function text(tag: string, vr: string, value: string | Buffer): Written {
  const bytes = Buffer.from(value);
  const padding = bytes.length % 2 === 0 ? [] : [Buffer.from([vr === "UI" ? 0 : 0x20])];
  return { tag, vr, value: Buffer.concat([bytes, ...padding]) };
}

export function us(tag: string, ...values: number[]): Written {
  return { tag, vr: "US", value: Buffer.from(Uint16Array.from(values).buffer) };
}

export function bytes(tag: string, vr: string, value: Uint8Array): Written {
  return { tag, vr, value: Buffer.from(value) };
}

export function sequence(tag: string, ...items: (readonly Written[])[]): Written {
  return {
    tag,
    vr: "SQ",
    value: Buffer.concat(
      items.map((item) => item.map((element) => explicit(element))).map((item) => withItemHeader(Buffer.concat(item))),
    ),
  };
}

export function openSequence(tag: string, ...items: (readonly Written[])[]): Written {
  const [start, end] = [Buffer.from("feff00e0ffffffff", "hex"), Buffer.from("feff0de000000000", "hex")];
  return {
    tag,
    vr: "SQ",
    value: Buffer.concat(items.flatMap((item) => [start, dataSet(...item), end])),
  };
}

function withItemHeader(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from("feff00e0", "hex"), u32(value.length), value]);
}

export function explicit({ tag, vr, value }: Written, lengthSaid = value.length): Buffer {
  const length = longVrs.has(vr) ? Buffer.concat([Buffer.alloc(2), u32(lengthSaid)]) : u32(lengthSaid).subarray(0, 2);
  return Buffer.concat([tagBytes(tag), Buffer.from(vr), length, value]);
}

export function implicit({ tag, value }: Written): Buffer {
  return Buffer.concat([tagBytes(tag), u32(value.length), value]);
}

export function encapsulated(offsets: readonly number[], fragments: readonly Buffer[]): Buffer {
  const table = withItemHeader(Buffer.concat(offsets.map(u32)));
  return Buffer.concat([
    tagBytes("7FE00010"),
    Buffer.from("OB\0\0"),
    u32(0xffffffff),
    table,
    ...fragments.map(withItemHeader),
    Buffer.from("feffdde000000000", "hex"),
  ]);
}

/** A file with preamble and header. `stored`: elements that identify the object, which other programs require. */
export function partTen(transferSyntaxUid: string, dataSet: Uint8Array, stored: readonly Written[] = []): Buffer {
  const header = Buffer.concat(
    [...stored, text("00020010", "UI", transferSyntaxUid)].map((element) => explicit(element)),
  );
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from("DICM"),
    explicit({ tag: "00020000", vr: "UL", value: u32(header.length) }),
    header,
    dataSet,
  ]);
}

export function dataSet(...elements: Written[]): Buffer {
  return Buffer.concat(elements.map((element) => explicit(element)));
}

function tagBytes(tag: string): Buffer {
  const [group = 0, element = 0] = [tag.slice(0, 4), tag.slice(4)].map((half) => Number.parseInt(half, 16));
  return Buffer.from(Uint16Array.from([group, element]).buffer);
}

function u32(value: number): Buffer {
  return Buffer.from(Uint32Array.from([value]).buffer);
}
