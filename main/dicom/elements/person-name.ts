/** Parts of a DICOM person's name. An animal's has the responsible family's name first: `Sommer^Bella`. */
export type PersonName = { readonly family: string; readonly given: string; readonly full: string };

/** The alphabetic group of a person name, or the first that is not empty. */
export function writtenGroup(value: string): string {
  return value.split("=").find((each) => each.replaceAll("^", "").trim() !== "") ?? "";
}

/**
 * Splits a person name into its components.
 *
 * @see DICOM PS3.5 6.2.1, PS3.3 C.7.1.1.1.1 (animals)
 */
export function personName(value: string): PersonName {
  const [family = "", given = "", middle = "", prefix = "", suffix = ""] = writtenGroup(value)
    .split("^")
    .map((part) => part.trim());
  return { family, given, full: [prefix, given, middle, family, suffix].filter((part) => part !== "").join(" ") };
}
