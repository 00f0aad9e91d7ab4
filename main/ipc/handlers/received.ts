import type { receivedContract } from "../../../core/contract/desktop/received.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Received objects that are not on the worklist. */
export function receivedHandlers({ receive: { setAside } }: DesktopParts): Handlers<keyof typeof receivedContract> {
  return {
    "received.list": () => ({ objects: setAside.list() }),
    "received.retry": async ({ objectIds }) => {
      const opened = await setAside.retry(objectIds);
      return { objects: setAside.list(), opened };
    },
    "received.export": async ({ objectId }) => ({ download: await setAside.export(objectId) }),
    "received.delete": async ({ objectIds }) => {
      await setAside.remove(objectIds);
      return { objects: setAside.list() };
    },
  };
}
