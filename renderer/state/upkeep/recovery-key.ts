import { create } from "zustand";

type RecoveryKeyState = {
  /** null where none was made in this page's time, or somebody has said that it is kept. */
  readonly recoveryKey: string | null;
  readonly show: (recoveryKey: string | null) => void;
};

/** The recovery key that was made last: the program tells it once, and it stays in sight until it is written down. */
export const useRecoveryKey = create<RecoveryKeyState>((set) => ({
  recoveryKey: null,
  show: (recoveryKey) => set({ recoveryKey }),
}));
