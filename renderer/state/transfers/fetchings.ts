import { create } from "zustand";
import type { FetchProgress } from "../../../core/contract/desktop/network/pacs.ts";

type FetchingsState = {
  /** By the job's id, as long as the page wants to know. */
  readonly progress: Readonly<Record<string, FetchProgress>>;
  readonly receive: (event: { readonly jobId: string; readonly progress: FetchProgress }) => void;
  readonly forget: (jobId: string) => void;
};

export const useFetchings = create<FetchingsState>((set, get) => ({
  progress: {},
  receive: ({ jobId, progress }) => set({ progress: { ...get().progress, [jobId]: progress } }),
  forget: (jobId) =>
    set({ progress: Object.fromEntries(Object.entries(get().progress).filter(([id]) => id !== jobId)) }),
}));
