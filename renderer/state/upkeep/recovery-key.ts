import { create } from "zustand";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";

type MadeKey = DesktopResponse<"encryption.plan">["made"];

type RecoveryKeyState = {
  /** null where none was made in this page's time, or somebody has said that it is kept. */
  readonly made: MadeKey;
  readonly show: (made: MadeKey) => void;
};

/** The recovery key that was made last: the program tells it once, and it stays in sight until it is written down. */
export const useRecoveryKey = create<RecoveryKeyState>((set) => ({
  made: null,
  show: (made) => set({ made }),
}));
