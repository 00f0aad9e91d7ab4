import type { dicomContract } from "../../../core/contract/desktop/dicom.ts";
import { deleteNode, listNodes, saveNode } from "../../services/network/dicom-settings.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

/** Receiving and sending DICOM objects. */
export function dicomHandlers({ context, receive, send }: DesktopParts): Handlers<keyof typeof dicomContract> {
  return {
    "dicom.get": () => receive.get(),
    "dicom.configure": (changes) => receive.configure(changes),
    "dicom.log": () => ({ entries: [...receive.log()] }),
    "dicom.nodes": () => ({ nodes: listNodes(context.db) }),
    "dicom.saveNode": ({ nodeId, ...fields }) => ({ nodes: saveNode(context.db, nodeId, fields) }),
    "dicom.deleteNode": ({ nodeId }) => ({ nodes: deleteNode(context.db, nodeId) }),
    "dicom.testNode": (peer) => send.test(peer),
    "dicom.send": (request) => send.send(request),
    "dicom.cancelSend": ({ sendId }) => {
      send.cancel(sendId);
      return {};
    },
  };
}
