import { create } from "zustand";
import type { BackupProgress } from "../../../core/contract/desktop/practice/backups.ts";
import { call, ProgramError } from "../connection.ts";
import { invalidate } from "../queries.ts";

type BackupState = {
  readonly running: {
    readonly backupId: string;
    readonly progress: BackupProgress | null;
    readonly isStopping: boolean;
  } | null;
  /** Makes a backup. @returns false if it was cancelled @throws ProgramError */
  readonly make: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
  readonly receive: (event: { readonly backupId: string; readonly progress: BackupProgress }) => void;
};

/** The backup that the user started; it continues while other screens are shown. */
export const useBackup = create<BackupState>((set, get) => ({
  running: null,
  make: async () => {
    const backupId = crypto.randomUUID();
    set({ running: { backupId, progress: null, isStopping: false } });
    try {
      await call("backups.make", { backupId });
      return true;
    } catch (error) {
      if (error instanceof ProgramError && error.code === "ABORTED") return false;
      throw error;
    } finally {
      set({ running: null });
      // A backup that failed or was cancelled while being copied to the second place may be complete in the first.
      invalidate(["backups.list"], ["backups.listDamaged"]);
    }
  },
  stop: async () => {
    const { running } = get();
    if (!running) return;
    set({ running: { ...running, isStopping: true } });
    await call("backups.cancel", { backupId: running.backupId });
  },
  receive: ({ backupId, progress }) => {
    const { running } = get();
    if (running?.backupId === backupId) set({ running: { ...running, progress } });
  },
}));
