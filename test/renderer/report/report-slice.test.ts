import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { answerCalls } from "../../fixtures/page/answer-calls.ts";
import { useNavigation } from "../../../renderer/state/navigation.ts";
import { useReport } from "../../../renderer/report/report-slice.ts";
import { useReaderMode } from "../../../renderer/state/films/reader-mode.ts";
import { shownToasts } from "../../../renderer/ui/notes/toasts.ts";
import { clearToasts } from "../../fixtures/page/clear-toasts.ts";
import { shownTexts } from "../../fixtures/page/shown-texts.ts";

beforeEach(clearToasts);

test("reports the result of a transfer once", async () => {
  answerCalls(() => ({ ok: true, value: { sentObjects: 3, failure: null } }));
  await useReport.getState().send("film", { id: "node", name: "Archive" } as never);
  expect(shownTexts()).toEqual([expect.stringContaining("Archive")]);
  expect(useReport.getState()).toMatchObject({ task: null, failure: null });
});

test("warns that saved values are shared while points are moved", async () => {
  useNavigation.getState().setGuard({ save: () => Promise.resolve(), discard: () => undefined });
  const sending = useReport.getState().send("film", { id: "node", name: "Archive" } as never);
  expect(shownTexts()).toEqual(["Only saved values are shared: save your correction first."]);
  useNavigation.getState().setGuard(null);
  await sending;
});

test("cancels a message in the program, which then opens none, without waiting for it", async () => {
  const calls: { readonly channel: string; readonly exportId?: string }[] = [];
  const mailing = Promise.withResolvers<unknown>();
  answerCalls((channel, request: unknown) => {
    calls.push({ channel, ...(request as { readonly exportId?: string }) });
    return channel === "reports.mail" ? mailing.promise : { ok: true, value: {} };
  }, "electron");
  const mail = useReport.getState().mail("owner", "film", { subject: "Bello", body: "" });
  useReport.getState().stop();
  expect(useReport.getState().task).toBeNull();
  const exportId = calls[0]?.exportId;
  expect(calls).toMatchObject([
    { channel: "reports.mail", exportId: expect.any(String) },
    { channel: "jobs.cancel", jobId: exportId },
  ]);
  mailing.resolve({ ok: true, value: { way: "cancelled", fileName: "bello.pdf" } });
  await mail;
  expect(shownToasts()).toEqual([]);
});

test.each([true, false])("shows a notice once if the owner's handout was shortened: %s", async (isShortened) => {
  const value = { way: "attached", fileName: "bello.pdf", isShortened };
  answerCalls(() => ({ ok: true, value }), "electron");
  await useReport.getState().mail("owner", "film", { subject: "Bello", body: "" });
  expect(shownTexts()).toEqual(isShortened ? [expect.stringContaining("the end of your findings is left out")] : []);
});

test("cancels a file in the program, and neither saves nor reports it", async () => {
  const calls: unknown[] = [];
  const making = Promise.withResolvers<unknown>();
  answerCalls((channel, request: unknown) => {
    const { exportId, jobId = exportId } = request as { readonly exportId?: string; readonly jobId?: string };
    calls.push([channel, jobId]);
    return channel === "reports.dicom" ? making.promise : { ok: true, value: {} };
  });
  const saving = useReport.getState().save("reports.dicom", { filmId: "film" }, "report.makingDicom");
  const exportId = useReport.getState().task?.jobId;
  useReport.getState().stop();
  expect(calls).toEqual([
    ["reports.dicom", exportId],
    ["jobs.cancel", exportId],
  ]);
  making.resolve({ ok: false, code: "ABORTED", message: "" });
  await saving;
  expect(shownToasts()).toEqual([]);
});

test("requests a handout for a message in a browser, and opens no message without a handout", async () => {
  const asked: unknown[] = [];
  answerCalls((channel, request: unknown) => {
    asked.push([channel, request]);
    return {
      ok: true,
      value: { download: { url: "/app/exports/a.pdf", fileName: "bello.pdf" } },
    };
  });
  useReaderMode.setState({ isOn: true });
  onTestFinished(() => useReaderMode.setState({ isOn: false }));
  const refused = Response.json({ ok: false, code: "DISK_FULL", message: "" }, { status: 507 });
  vi.stubGlobal("fetch", () => Promise.resolve(refused));
  await useReport.getState().mail("owner", "film", { subject: "Bello", body: "" });
  vi.unstubAllGlobals();
  expect(asked).toEqual([
    [
      "reports.handout",
      {
        exportId: expect.any(String),
        filmId: "film",
        language: "en",
        audience: "owner",
        isReaderMode: true,
        way: "mail",
      },
    ],
  ]);
  expect(shownToasts()).toMatchObject([{ tone: "fault", about: "DISK_FULL" }]);
});
