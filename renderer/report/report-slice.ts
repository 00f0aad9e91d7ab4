import { create } from "zustand";
import type { DicomNode, SendFailure } from "../../core/contract/desktop/dicom.ts";
import { call } from "../state/connection.ts";
import { showFault } from "../state/faults.ts";
import { useSendings } from "../state/transfers/sendings.ts";
import { useLanguage } from "../ui/language/language.ts";
import { saveUrl } from "../ui/save-file.ts";

/** What is being shared. */
export type Task =
  | { readonly kind: "handOut" | "dicom"; readonly filmId: string }
  | { readonly kind: "send"; readonly filmId: string; readonly node: DicomNode; readonly sendId: string };

type ReportState = {
  readonly task: Task | null;
  /** Why the last sending was not taken; shown until it is tried again or closed. */
  readonly failure: SendFailure | null;
  /** Objects that a node has taken, to be told once. */
  readonly sent: { readonly name: string; readonly count: number } | null;
  readonly save: (kind: "handOut" | "dicom", filmId: string) => Promise<void>;
  readonly send: (filmId: string, node: DicomNode) => Promise<void>;
  /** Stops a sending; a file that is still being made is not saved. */
  readonly stop: () => void;
};

/** Sharing a film's results, one at a time. */
export const useReport = create<ReportState>((set, get) => ({
  task: null,
  failure: null,
  sent: null,
  save: async (kind, filmId) => {
    const task: Task = { kind, filmId };
    set({ task, failure: null, sent: null });
    try {
      const { language } = useLanguage.getState();
      const { download } =
        kind === "handOut"
          ? await call("reports.handOut", { filmId, language })
          : await call("reports.dicom", { filmId });
      if (get().task === task) saveUrl(download.url, download.fileName);
    } catch (error) {
      if (get().task === task) showFault(error);
    } finally {
      if (get().task === task) set({ task: null });
    }
  },
  send: async (filmId, node) => {
    const task: Task = { kind: "send", filmId, node, sendId: crypto.randomUUID() };
    set({ task, failure: null, sent: null });
    try {
      const { sentObjects, failure } = await call("dicom.send", { sendId: task.sendId, filmId, nodeId: node.id });
      if (get().task !== task) return;
      set(failure ? { failure } : { task: null, sent: { name: node.name, count: sentObjects } });
    } catch (error) {
      if (get().task === task) set({ task: null });
      showFault(error);
    } finally {
      useSendings.getState().forget(task.sendId);
    }
  },
  stop: () => {
    const { task, failure } = get();
    if (task?.kind === "send" && !failure) call("dicom.cancelSend", { sendId: task.sendId }).catch(showFault);
    set({ task: null, failure: null });
  },
}));
