import { profileTable } from "./profile-table.ts";
import { unlistedAction, type AttributeAction } from "./unlisted-attribute.ts";

/** `shifted`: all by the same number of days. */
export const dateChoices = ["removed", "shifted", "kept"] as const;
/** `cleaned`: reduced to words of radiography. */
export const descriptorChoices = ["removed", "cleaned"] as const;

export type DeidentificationChoices = {
  readonly dates: (typeof dateChoices)[number];
  readonly descriptors: (typeof descriptorChoices)[number];
  /** Keeps sex, age, weight and size. */
  readonly keepsPatient: boolean;
};

type Row = { readonly basic: AttributeAction; readonly vr: string; readonly options: readonly string[] };

const rows = readTable();

/**
 * Returns the action for an attribute: `action` with the chosen options, `basic` in the basic profile without options.
 *
 * @param tag    eight upper-case hexadecimal digits
 * @param known  value representation in the standard, which decides for attributes outside the table
 * @returns `vr`: representation of a dummy value, `-` if the table has none
 * @see DICOM PS3.15, table E.1-1 and E.3
 */
export function actionOf(
  tag: string,
  choices: DeidentificationChoices,
  known: string | null,
): { readonly action: AttributeAction; readonly basic: AttributeAction; readonly vr: string } {
  const row = rowOf(tag);
  if (row === null) {
    const action = unlistedAction(tag, known);
    return { action, basic: action, vr: "-" };
  }
  return { ...row, action: optionOf(row, choices) ?? row.basic };
}

function optionOf({ options }: Row, choices: DeidentificationChoices): AttributeAction | null {
  if (options.includes("dates") && choices.dates === "kept") return "keep";
  if (options.includes("dates") && choices.dates === "shifted") return "shift";
  if (options.includes("patient") && choices.keepsPatient) return "keep";
  if (options.includes("patient:C") && choices.keepsPatient) return "clean";
  if (options.includes("descriptors") && choices.descriptors === "cleaned") return "clean";
  return null;
}

/**
 * Private attributes, and all attributes of a curve or overlay, share a row: an overlay without its data is invalid.
 */
function rowOf(tag: string): Row | null {
  const group = Number.parseInt(tag.slice(0, 4), 16);
  if (group % 2 === 1) return rows.get("PRIVATE") ?? null;
  if (tag.startsWith("50")) return rows.get("50XXXXXX") ?? null;
  if (tag.startsWith("60")) return rows.get("60XX3000") ?? null;
  return rows.get(tag) ?? null;
}

/**
 * Resolves a choice (X/Z, X/D …) to the strongest action that every type of attribute allows: a dummy value, otherwise
 * an empty one. Owner and organization are emptied instead of removed, since they are mandatory in an animal's film.
 */
function basicOf(codes: string, tag: string): AttributeAction {
  if (codes.includes("U")) return "uid";
  if (codes.includes("D")) return "dummy";
  return codes.includes("Z") || tag === "00102297" || tag === "00102299" ? "empty" : "remove";
}

function readTable(): ReadonlyMap<string, Row> {
  const table = new Map<string, Row>();
  for (const line of profileTable.trim().split("\n")) {
    const [codes = "", vr = "-", options = "-", tags = ""] = line.split("|").map((cell) => cell.trim());
    for (const tag of tags.split(" "))
      table.set(tag, { basic: basicOf(codes, tag), vr, options: options === "-" ? [] : options.split(" ") });
  }
  return table;
}
