import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../../core/contract/desktop/network/pacs.ts";

/** Study Root. @see DICOM PS3.4 C.6.2 */
export const studyRoot = {
  find: "1.2.840.10008.5.1.4.1.2.2.1",
  move: "1.2.840.10008.5.1.4.1.2.2.2",
  get: "1.2.840.10008.5.1.4.1.2.2.3",
} as const;

/** Modality Worklist. @see DICOM PS3.4 annex K */
export const modalityWorklist = "1.2.840.10008.5.1.4.31";

export type Identifier = Readonly<Record<string, string>>;
/** Identifier with sequences, whose single item is matched likewise; an empty sequence requests the value. */
export type WorklistIdentifier = Readonly<Record<string, string | readonly Identifier[]>>;

/** One value or several for each element; those of the scheduled procedure step are at the same level. */
export type Match = Readonly<Record<string, string | readonly string[]>>;

export type FindAnswer = {
  readonly matches: readonly Match[];
  readonly isCutOff: boolean;
  readonly failure: SendFailure | null;
};
export type FetchAnswer = FetchProgress & { readonly failure: SendFailure | null };

export type FetchMessage =
  | { readonly kind: "progress"; readonly progress: FetchProgress }
  | { readonly kind: "received"; readonly fileName: string };
