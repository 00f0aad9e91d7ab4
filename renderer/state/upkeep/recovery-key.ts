import { create } from "zustand";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";

type OfferedKey = DesktopResponse<"encryption.offer">["offered"];

type RecoveryKeyState = {
  /** null before an offer, and after its confirmation or rejection. */
  readonly offered: OfferedKey;
  readonly show: (offered: OfferedKey) => void;
};

/** The recovery key that waits for the user to write it down; it survives a change of the settings tab. */
export const useRecoveryKey = create<RecoveryKeyState>((set) => ({
  offered: null,
  show: (offered) => set({ offered }),
}));
