import type { deidentifyContract } from "../../../core/contract/desktop/deidentify.ts";
import type { reportsContract } from "../../../core/contract/desktop/reports.ts";
import { keepExport } from "../../services/desktop/exports.ts";
import { makeHandOut } from "../../services/results/report-hand-out.ts";
import { lookForText } from "../../services/privacy/burned-in-text.ts";
import { exportDeidentified } from "../../services/privacy/deidentified-export.ts";
import { makeResultArchive } from "../../services/results/result-archive.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Results of a film to share. */
export function reportHandlers({
  context,
}: DesktopParts): Handlers<keyof typeof reportsContract | keyof typeof deidentifyContract> {
  return {
    "deidentify.look": ({ filmId }) => lookForText(context, filmId),
    "deidentify.export": (request) => exportDeidentified(context, request),
    "reports.handOut": async ({ filmId, language }) => {
      const { fileName, bytes } = await makeHandOut(context, filmId, language);
      return { download: { fileName, url: await keepExport(context.dataDir, "pdf", bytes) } };
    },
    "reports.dicom": async ({ filmId }) => {
      const { fileName, bytes } = await makeResultArchive(context, filmId);
      return { download: { fileName, url: await keepExport(context.dataDir, "zip", bytes) } };
    },
  };
}
