import { localDay } from "./local-day.ts";

const spelt: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "oe",
  å: "aa",
  ł: "l",
};

/**
 * File name of a handout: `Mueller_Bella_2026-11-21_VHS.pdf`. A film without a patient keeps its file name.
 *
 * @param takenAt  time of the radiograph, shown as the local day; null if it must not be disclosed
 */
export function handoutName({
  patient,
  takenAt,
  filmName,
}: {
  readonly patient: { readonly name: string; readonly owner: string } | null;
  readonly takenAt: Date | null;
  readonly filmName: string;
}): string {
  const words = [familyOf(patient?.owner ?? ""), patient?.name ?? ""].map(plainWord).filter((word) => word !== "");
  if (words.length === 0) return `${filmName}.pdf`;
  return `${[...words, ...(takenAt ? [localDay(takenAt)] : []), "VHS"].join("_")}.pdf`;
}

/** The family's name of an owner who is written as `Ida Müller` or as `Müller, Ida`. */
function familyOf(owner: string): string {
  const [family = ""] = owner.includes(",") ? owner.split(",") : owner.trim().split(/\s+/).slice(-1);
  return family;
}

/** Letters and digits that every file system and mail program takes; other scripts keep theirs. */
function plainWord(word: string): string {
  return word
    .normalize("NFC")
    .replace(/[äöüßæœøåł]/giu, (letter) => {
      const plain = spelt[letter.toLowerCase()] ?? letter;
      return letter === letter.toLowerCase() ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
    })
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
}
