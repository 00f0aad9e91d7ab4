import { AppError } from "../../../core/app-error.ts";
import type { deidentifyContract } from "../../../core/contract/desktop/deidentify.ts";
import type { reportsContract } from "../../../core/contract/desktop/reports.ts";
import { keepExport } from "../../services/desktop/exports.ts";
import { makeHandOut } from "../../services/results/report-hand-out.ts";
import { lookForText } from "../../services/privacy/burned-in-text.ts";
import { exportDeidentified } from "../../services/privacy/deidentified-export.ts";
import { sendDeidentified } from "../../services/privacy/deidentified-sending.ts";
import { mailHandOut } from "../../services/results/mail-hand-out.ts";
import { makeResultArchive } from "../../services/results/result-archive.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Results of a film to share. */
export function reportHandlers({
  context,
  options: { openMail },
  jobs,
  send,
}: DesktopParts): Handlers<keyof typeof reportsContract | keyof typeof deidentifyContract> {
  return {
    "deidentify.look": ({ filmId }) => lookForText(context, filmId),
    "deidentify.export": (request) => exportDeidentified(context, request),
    "deidentify.send": (request) => sendDeidentified(context, send, request),
    "reports.handOut": async ({ filmId, language, way }) => {
      const { fileName, bytes } = await makeHandOut(context, filmId, language);
      const url = await keepExport(context.dataDir, "pdf", bytes, { filmIds: [filmId], way });
      return { download: { fileName, url } };
    },
    "reports.mail": async ({ mailId, ...request }) => {
      if (!openMail) throw new AppError("NOT_AVAILABLE");
      return jobs.run(mailId, (signal) => mailHandOut(context, openMail, request, signal));
    },
    "reports.cancelMail": ({ mailId }) => {
      jobs.cancel(mailId);
      return {};
    },
    "reports.dicom": async ({ filmId }) => {
      const { fileName, bytes } = await makeResultArchive(context, filmId);
      const url = await keepExport(context.dataDir, "zip", bytes, { filmIds: [filmId], way: "dicom" });
      return { download: { fileName, url } };
    },
  };
}
