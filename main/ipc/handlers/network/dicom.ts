import type { dicomContract } from "../../../../core/contract/desktop/network/dicom.ts";
import { deleteNode, listNodes, saveNode } from "../../../services/network/dicom-settings.ts";
import { getOwnCertificate, saveOwnCertificate } from "../../../services/network/own-certificate.ts";
import { listSendings } from "../../../services/network/sendings.ts";
import type { DesktopParts, Handlers } from "../../handlers.ts";

export function dicomHandlers({ context, receive, send }: DesktopParts): Handlers<keyof typeof dicomContract> {
  return {
    "dicom.get": () => receive.get(),
    "dicom.configure": (changes) => receive.configure(changes),
    "dicom.log": () => ({ entries: [...receive.log()] }),
    "dicom.nodes": async () => ({ nodes: await listNodes(context.db) }),
    "dicom.saveNode": async (request) => ({ nodes: await saveNode(context, request) }),
    "dicom.deleteNode": ({ nodeId }) => deleteNode(context, nodeId),
    "dicom.testNode": ({ nodeId }) => send.test(nodeId),
    "dicom.certificate": async () => ({ certificate: await getOwnCertificate(context.db) }),
    "dicom.saveCertificate": async ({ pem }) => {
      const certificate = await saveOwnCertificate(context, pem);
      await receive.restart();
      return { certificate };
    },
    "dicom.send": (request) => send.send(request),
    "dicom.sendings": async ({ filmId }) => ({ sendings: await listSendings(context.db, filmId) }),
    "dicom.askAgain": ({ filmId, sendingId }) => receive.commitments.askAgain(filmId, sendingId),
  };
}
