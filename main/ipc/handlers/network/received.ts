import type { pacsContract } from "../../../../core/contract/desktop/network/pacs.ts";
import type { ordersContract } from "../../../../core/contract/desktop/network/orders.ts";
import type { receivedContract } from "../../../../core/contract/desktop/network/received.ts";
import { findOrders } from "../../../services/network/orders.ts";
import { takeOrder } from "../../../services/worklist/orders/take-order.ts";
import { getNextOrder, clearTakenOrder } from "../../../services/worklist/orders/taken-orders.ts";
import type { DesktopParts, Handlers } from "../../handlers.ts";

export function receivedHandlers({
  context,
  receive: { setAside },
  pacs,
  jobs,
}: DesktopParts): Handlers<keyof typeof receivedContract | keyof typeof pacsContract | keyof typeof ordersContract> {
  return {
    "orders.find": (request) => findOrders(context, jobs, request),
    "orders.take": ({ order }) => takeOrder(context, order),
    "orders.next": async () => ({ next: await getNextOrder(context) }),
    "orders.putBack": () => clearTakenOrder(context),
    "pacs.find": (request) => pacs.find(request),
    "pacs.fetch": (request) => pacs.fetch(request),
    "pacs.fetchPrior": (request) => pacs.fetchPrior(request),
    "received.list": async () => ({ objects: await setAside.list() }),
    "received.retry": async ({ objectIds }) => {
      const opened = await setAside.retry(objectIds);
      return { objects: await setAside.list(), opened };
    },
    "received.export": async ({ objectId }) => ({ download: await setAside.export(objectId) }),
    "received.delete": ({ objectIds }) => setAside.remove(objectIds),
  };
}
