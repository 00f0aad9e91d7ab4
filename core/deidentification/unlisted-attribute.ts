/** `shift` and `clean` fall back to the profile's basic action if a value cannot be read. */
export type AttributeAction = "keep" | "remove" | "empty" | "dummy" | "uid" | "shift" | "clean";

/**
 * Attributes outside the table that need another action than their value representation implies: the practice's numbers
 * and their issuers, persons and services as codes, encrypted originals, sound, additional pictures. A kennel club's
 * number is emptied because the sequence is mandatory in an animal's film; a dummy value replaces a mandatory text.
 */
const byTag: ReadonlyMap<string, AttributeAction> = new Map([
  ...tags("00102294", "empty"),
  ...tags("00280A04 00409210", "dummy"),
  ...tags("00080051 00100024 00100035 00400026 00400027 00400033 00400036 00400039 0040003A", "remove"),
  ...tags("00321034 00404009 04000500 54000100 7FE00008 7FE00009", "remove"),
]);

/**
 * Texts about acquisition and codes that are kept: codes and their schemes; species and breed; methods of
 * de-identification; manufacturers, models and versions; stages and views; films, filters, grids, kernels and pulse
 * sequences; meanings of positions, values and content of a picture.
 */
export const allowedTexts: ReadonlySet<string> = new Set(
  `00080100 00080102 00080103 00080104 00080112 00080119 00080120 00080122
  00102201 00102292
  00120063
  00080070 00081090 00181016 00181018 00181019 00181020 0018702A 0018702B
  00082120 00082127
  00180024 00180031 00180085 00181040 00181160 00181161 00181180 00181210 00181260 00181261 00187040 00187041 00189005
  00201040 00209056 00281054 00283004 00420012`.split(/\s+/),
);

/** UIDs of object classes, encodings and coding schemes, which manufacturers can also assign. */
const kindUids: ReadonlySet<string> = new Set(
  "00080016 0008001A 0008001B 00080062 0008010C 00080117 00080118 00081150 0008115A 00083002 04000010 04000510".split(
    " ",
  ),
);

/**
 * Removes dates, times, names, addresses and most texts, replaces UIDs, and keeps numbers, codes and pixels.
 *
 * @param tag  eight upper-case hexadecimal digits
 * @param vr   value representation in the standard; null if unknown
 */
export function unlistedAction(tag: string, vr: string | null): AttributeAction {
  const listed = byTag.get(tag);
  if (listed) return listed;
  switch (vr) {
    case null:
    case "UN":
    case "DA":
    case "DT":
    case "TM":
    case "PN":
    case "AE":
      return "remove";
    case "LO":
    case "SH":
    case "ST":
    case "LT":
    case "UT":
    case "UC":
    case "UR":
      return allowedTexts.has(tag) ? "keep" : "remove";
    case "UI":
      return kindUids.has(tag) ? "keep" : "uid";
    default:
      return "keep";
  }
}

function tags(list: string, action: AttributeAction): (readonly [string, AttributeAction])[] {
  return list.split(" ").map((tag) => [tag, action]);
}
