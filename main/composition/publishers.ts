import type { DesktopOptions } from "../ipc/handlers.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import { reloadPublishers } from "../services/program/packs.ts";

/** Reloads packs in the background after the publishers changed. `close` waits for a reload that runs. */
export function createPublisherReload(context: DesktopContext, options: DesktopOptions) {
  let reloading = Promise.resolve();
  return {
    reload() {
      reloading = reloadPublishers(context, options).catch((error: unknown) =>
        context.log.warn({ error }, "packs keep their former publishers"),
      );
    },
    close: () => reloading,
  };
}
