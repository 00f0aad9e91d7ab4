/** Components of a person name. An animal's name starts with the family name of the owner: `Sommer^Bella`. */
export type PersonName = { readonly family: string; readonly given: string; readonly full: string };

/** First component group of a person name that is not empty, usually the alphabetic one. */
export function writtenGroup(value: string): string {
  return value.split("=").find((each) => each.replaceAll("^", "").trim() !== "") ?? "";
}

/** @see DICOM PS3.5 6.2.1, PS3.3 C.7.1.1.1.1 (animals) */
export function personName(value: string): PersonName {
  const [family = "", given = "", middle = "", prefix = "", suffix = ""] = writtenGroup(value)
    .split("^")
    .map((part) => part.trim());
  return { family, given, full: [prefix, given, middle, family, suffix].filter((part) => part !== "").join(" ") };
}
