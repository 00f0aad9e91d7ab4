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
 * File name of a handout: `Mueller_Bella_2026-11-21_VHS.pdf`. Without a patient it is the name of the film's file.
 *
 * @param takenAt  acquisition time, of which the local day is used; null if it must not be disclosed
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

/** Family name of an owner written as `Ida Müller` or `Müller, Ida`. */
function familyOf(owner: string): string {
  const [family = ""] = owner.includes(",") ? owner.split(",") : owner.trim().split(/\s+/).slice(-1);
  return family;
}

/** Reduces a word to letters and digits that every file system and mail program accepts. Non-Latin scripts are kept. */
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
