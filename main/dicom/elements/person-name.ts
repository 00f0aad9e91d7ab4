/** Parts of a DICOM person's name. An animal's has the responsible family's name first: `Sommer^Bella`. */
export type PersonName = { readonly family: string; readonly given: string; readonly full: string };

/**
 * Takes a person's name apart: the alphabetic group, or the first that is not empty.
 *
 * @see DICOM PS3.5 6.2.1, PS3.3 C.7.1.1.1.1 (animals)
 */
export function personName(value: string): PersonName {
  const group = value.split("=").find((each) => each.replaceAll("^", "").trim() !== "") ?? "";
  const [family = "", given = "", middle = "", prefix = "", suffix = ""] = group.split("^").map((part) => part.trim());
  return { family, given, full: [prefix, given, middle, family, suffix].filter((part) => part !== "").join(" ") };
}
