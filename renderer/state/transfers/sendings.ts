import { create } from "zustand";
import type { SendProgress } from "../../../core/contract/desktop/network/dicom.ts";

type SendingsState = {
  /** By the sending's id, as long as the page wants to know. */
  readonly progress: Readonly<Record<string, SendProgress>>;
  readonly receive: (event: { readonly sendId: string; readonly progress: SendProgress }) => void;
  readonly forget: (sendId: string) => void;
};

export const useSendings = create<SendingsState>((set, get) => ({
  progress: {},
  receive: ({ sendId, progress }) => set({ progress: { ...get().progress, [sendId]: progress } }),
  forget: (sendId) =>
    set({ progress: Object.fromEntries(Object.entries(get().progress).filter(([id]) => id !== sendId)) }),
}));
