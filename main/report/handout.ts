import type { AnimalInFile } from "../../core/cardiac/reference/compared-animal.ts";
import type { OwnRange } from "../../core/cardiac/reference/own-range.ts";
import type { Reading } from "../../core/contract/desktop/readings.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import type { TrendValues } from "../../core/contract/desktop/trends/trend-series.ts";
import type { Language } from "../../core/language/languages.ts";

export type Audience = "owner" | "veterinarian";

export type HandoutPatient = Pick<Patient, "name" | "species" | "breed" | "owner" | "uuid"> &
  Partial<Pick<Patient, "sex" | "isNeutered" | "birthDate" | "weightKg">>;

export type Handout = {
  readonly language: Language;
  readonly audience: Audience;
  readonly clinic: {
    readonly name: string;
    readonly address: string;
    /** PNG or JPEG. */ readonly logo: Uint8Array | null;
  };
  readonly ownRanges?: readonly OwnRange[] | undefined;
  readonly patient: HandoutPatient | null;
  readonly animalInFile?: AnimalInFile;
  readonly fileName: string;
  /** null to omit it. */
  readonly takenAt: Date | null;
  readonly film: { readonly jpeg: Uint8Array; readonly widthPx: number; readonly heightPx: number };
  readonly reading: Reading;
  /** The networks' proposal if a user changed it, else null. */
  readonly proposal: Reading | null;
  /** All values of the patient, oldest first. */
  readonly trend: TrendValues;
  readonly remark: string;
  readonly programVersion: string;
  /** Works on which the reading's networks were trained and whose licence requires attribution. */
  readonly credits: readonly string[];
  readonly printedAt: Date;
};

export type PrintedHandout = {
  readonly pdf: Buffer;
  /** Whether text was omitted to fit the owner's handout on one page. */
  readonly isShortened: boolean;
};
