import { create } from "zustand";
import type { SendProgress } from "../../../core/contract/desktop/network/dicom.ts";
import type { FetchProgress } from "../../../core/contract/desktop/network/pacs.ts";

type ProgressState<Progress> = {
  readonly progress: Readonly<Record<string, Progress>>;
  readonly receive: (id: string, progress: Progress) => void;
  readonly forget: (id: string) => void;
};

const createProgress = <Progress>() =>
  create<ProgressState<Progress>>((set, get) => ({
    progress: {},
    receive: (id, progress) => set({ progress: { ...get().progress, [id]: progress } }),
    forget: (id) =>
      set({ progress: Object.fromEntries(Object.entries(get().progress).filter(([each]) => each !== id)) }),
  }));

/** Progress of PACS retrievals by job id, and of transfers to DICOM nodes by send id. */
export const useFetchProgress = createProgress<FetchProgress>();
export const useSendProgress = createProgress<SendProgress>();
