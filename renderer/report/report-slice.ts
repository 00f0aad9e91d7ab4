import { create } from "zustand";
import type { DicomNode, SendFailure } from "../../core/contract/desktop/network/dicom.ts";
import type { DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import type { reportsContract } from "../../core/contract/desktop/reports.ts";
import { call, connection } from "../state/connection.ts";
import { showFault } from "../state/faults.ts";
import { useNavigation } from "../state/navigation.ts";
import { useReaderMode } from "../state/films/reader-mode.ts";
import { useWrittenFindings, writtenOn } from "../state/films/written-findings.ts";
import { useSendProgress } from "../state/transfers/progress.ts";
import type { PlainKey } from "../../core/language/catalogue.ts";
import { textNow, useLanguage } from "../ui/language/language.ts";
import { saveUrl } from "../ui/save-file.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { fetchFile, mailFile, type MailWords } from "./mail-file.ts";

export type Task = {
  readonly jobId: string;
  readonly title: string;
  /** Node to which a film is sent; null while a file is made. */
  readonly node: DicomNode | null;
  readonly filmId: string;
};

type FileChannel = {
  [C in keyof typeof reportsContract]: "download" extends keyof DesktopResponse<C> ? C : never;
}[keyof typeof reportsContract];

export type Audience = DesktopRequest<"reports.mail">["audience"] & string;

type ReportState = {
  readonly task: Task | null;
  /** Why the last transfer failed; shown until it is retried or closed. */
  readonly failure: SendFailure | null;
  /** @param title  shown while the file is being made */
  readonly save: <C extends FileChannel>(
    channel: C,
    request: Omit<DesktopRequest<C>, "exportId"> & { readonly filmId: string },
    title: PlainKey,
  ) => Promise<void>;
  /** Opens a message with the handout; a file that could not be attached is saved with a notice. */
  readonly mail: (audience: Audience, filmId: string, words: MailWords) => Promise<void>;
  readonly copyPicture: (filmId: string, hasMarks: boolean) => Promise<void>;
  readonly send: (filmId: string, node: DicomNode) => Promise<void>;
  /** Cancels the current task; a file that is still being made is not saved. */
  readonly stop: () => void;
};

function warnOfUnsaved(filmId: string): void {
  if (useNavigation.getState().guard !== null) showToast("note", textNow()("report.withoutCorrection"));
  if (writtenOn(useWrittenFindings.getState(), filmId) !== undefined)
    showToast("note", textNow()("report.withoutFindings"));
}

function warnOfShortened({ isShortened }: Pick<DesktopResponse<"reports.handout">, "isShortened">): void {
  if (isShortened) showToast("note", textNow()("report.shortened"));
}

export const useReport = create<ReportState>((set, get) => ({
  task: null,
  failure: null,
  save: (channel, request, title) =>
    run({ filmId: request.filmId, title: textNow()(title), node: null }, async (exportId, isCancelled) => {
      const { download, ...made } = await call<FileChannel>(channel, { ...request, exportId } as never);
      if (isCancelled()) return;
      saveUrl(download.url, download.fileName);
      if ("isShortened" in made) warnOfShortened(made);
    }),
  mail: (audience, filmId, words) =>
    run({ filmId, title: textNow()("report.makingHandout"), node: null }, async (exportId, isCancelled) => {
      const { language } = useLanguage.getState();
      const sheet = { exportId, filmId, language, audience, isReaderMode: useReaderMode.getState().isOn };
      const noteMail = (name: "mailSaved" | "mailBeside", file: string) =>
        showToast("note", textNow()(`report.${name}`, { file }));
      // In Electron the page may not open other addresses, mailto included, so the main process opens the message.
      if (connection().kind === "electron") {
        const { way, fileName, isShortened } = await call("reports.mail", { ...sheet, ...words });
        if (way !== "cancelled") warnOfShortened({ isShortened });
        if (way === "beside") noteMail("mailBeside", fileName);
        return;
      }
      const { download, isShortened } = await call("reports.handout", { ...sheet, way: "mail" });
      if (isCancelled()) return;
      warnOfShortened({ isShortened });
      if ((await mailFile(download, words)) === "saved") noteMail("mailSaved", download.fileName);
    }),
  copyPicture: async (filmId, hasMarks) => {
    if (hasMarks) warnOfUnsaved(filmId);
    const { language } = useLanguage.getState();
    const request = { exportId: crypto.randomUUID(), filmId, language, hasMarks };
    const picture = call("reports.picture", request).then(({ download }) => fetchFile(download.url));
    try {
      // A promise keeps the user's gesture, which the clipboard requires, valid until the picture arrives.
      const written = navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
      await Promise.all([picture, written]);
      showToast("note", textNow()("report.copied"));
    } catch (error) {
      showFault(error);
    }
  },
  send: (filmId, node) =>
    run({ filmId, title: textNow()("report.sending", { name: node.name }), node }, async (sendId, isCancelled) => {
      const { sentObjects, failure } = await call("dicom.send", { sendId, filmId, nodeId: node.id });
      if (failure === null && !isCancelled())
        showToast("note", textNow()("report.sent", { name: node.name, count: sentObjects }));
      return failure;
    }),
  stop: () => {
    const { task, failure } = get();
    if (task && !failure) call("jobs.cancel", { jobId: task.jobId }).catch(showFault);
    set({ task: null, failure: null });
  },
}));

/** Shows a task until it has ended; a cancelled one ends without a message. `work` returns why a transfer failed. */
async function run(
  subject: Omit<Task, "jobId">,
  work: (jobId: string, isCancelled: () => boolean) => Promise<SendFailure | null | undefined>,
): Promise<void> {
  const task = { ...subject, jobId: crypto.randomUUID() };
  const isCancelled = () => useReport.getState().task !== task;
  useReport.setState({ task, failure: null });
  warnOfUnsaved(task.filmId);
  try {
    const failure = (await work(task.jobId, isCancelled)) ?? null;
    if (!isCancelled()) useReport.setState({ task: failure && task, failure });
  } catch (error) {
    if (isCancelled()) return;
    useReport.setState({ task: null });
    showFault(error);
  } finally {
    useSendProgress.getState().forget(task.jobId);
  }
}
