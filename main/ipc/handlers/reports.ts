import { AppError } from "../../../core/app-error.ts";
import type { deidentifyContract } from "../../../core/contract/desktop/network/deidentify.ts";
import type { reportsContract } from "../../../core/contract/desktop/reports.ts";
import { exportFilmFile } from "../../services/results/exported-films.ts";
import { makeHandout } from "../../services/results/report-handout.ts";
import { findBurnedInText } from "../../services/privacy/burned-in-text.ts";
import { exportDeidentified } from "../../services/privacy/deidentified-export.ts";
import { sendDeidentified } from "../../services/privacy/deidentified-sending.ts";
import { mailHandout } from "../../services/results/mail-handout.ts";
import { makePicture } from "../../services/results/film-picture.ts";
import { makeResultArchive } from "../../services/results/result-archive.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function reportHandlers({
  context,
  options: { openMail },
  jobs,
  send,
}: DesktopParts): Handlers<keyof typeof reportsContract | keyof typeof deidentifyContract> {
  return {
    "deidentify.look": ({ filmId }) => findBurnedInText(context, filmId),
    "deidentify.export": ({ exportId, ...request }) =>
      jobs.run(exportId, (signal) => exportDeidentified(context, request, signal)),
    "deidentify.send": (request) => sendDeidentified(context, send, request),
    "reports.handout": ({ exportId, filmId, language, way, ...sheet }) =>
      jobs.run(exportId, (signal) =>
        exportFilmFile(context, { filmId, kind: "pdf", way }, signal, () =>
          makeHandout(context, filmId, language, sheet),
        ),
      ),
    "reports.mail": async ({ exportId, ...request }) => {
      if (!openMail) throw new AppError("NOT_AVAILABLE");
      return jobs.run(exportId, (signal) => mailHandout(context, openMail, request, signal));
    },
    "reports.dicom": ({ exportId, filmId }) =>
      jobs.run(exportId, (signal) =>
        exportFilmFile(context, { filmId, kind: "zip", way: "dicom" }, signal, () =>
          makeResultArchive(context, filmId),
        ),
      ),
    "reports.picture": ({ exportId, filmId, language, hasMarks }) =>
      jobs.run(exportId, (signal) =>
        exportFilmFile(context, { filmId, kind: "png", way: "pictures" }, signal, () =>
          makePicture(context, filmId, hasMarks ? language : null),
        ),
      ),
  };
}
