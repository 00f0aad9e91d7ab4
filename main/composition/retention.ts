import { isUnfinished } from "../dicom/network/receiving/unfinished-object.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { deleteAbandoned, deleteAbandonedExports, deleteOldExports } from "../services/desktop/exports.ts";
import type { WatchedFolders } from "../services/practice/watched-folders.ts";
import { deleteOldDrafts } from "../services/results/mail-draft.ts";
import { applyImageRetention, deleteImages, listOutdated } from "../services/worklist/image-retention.ts";
import { receivedDir } from "../store/files/store-files.ts";

/** Interval between deletions of outdated files [ms]. */
const retentionEveryMs = 60 * 60 * 1000;

/** Deletes outdated images, drafts, exports and received files: at the start and every hour, in sequence. */
export function createRetention(context: DesktopContext, folders: WatchedFolders) {
  let tidying = Promise.resolve();
  const tidy = (work: () => Promise<void>) => {
    tidying = tidying
      .then(work)
      .catch((error: unknown) => context.log.error({ error }, "outdated files could not be deleted"));
  };
  const applyRetention = async () => applyImageRetention(context, false, await folders.findUnwritten());
  const retention = setInterval(() => {
    tidy(applyRetention);
    tidy(() => deleteOldDrafts(context.dataDir));
    tidy(() => deleteAbandonedExports(context.dataDir));
    tidy(() => deleteAbandoned(receivedDir(context.dataDir), isUnfinished));
  }, retentionEveryMs);
  retention.unref();
  return {
    /** Chooses outdated images; they are deleted in the background. Awaited before the queue measures pending films. */
    async start() {
      deleteOldExports(context.dataDir);
      const outdated = await listOutdated(context, true, await folders.findUnwritten());
      tidy(() => deleteImages(context, outdated));
    },
    stop: () => clearInterval(retention),
    close: () => tidying,
  };
}
