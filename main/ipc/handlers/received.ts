import type { pacsContract } from "../../../core/contract/desktop/pacs.ts";
import type { receivedContract } from "../../../core/contract/desktop/received.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Received objects that are not on the worklist, and what is fetched from a PACS. */
export function receivedHandlers({
  receive: { setAside },
  pacs,
}: DesktopParts): Handlers<keyof typeof receivedContract | keyof typeof pacsContract> {
  return {
    "pacs.find": (request) => pacs.find(request),
    "pacs.fetch": (request) => pacs.fetch(request),
    "pacs.fetchPrior": (request) => pacs.fetchPrior(request),
    "pacs.cancel": ({ jobId }) => {
      pacs.cancel(jobId);
      return {};
    },
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
