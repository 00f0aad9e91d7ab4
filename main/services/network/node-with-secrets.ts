import type { DicomNode, SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import type { ReachedNode } from "../../dicom/network/nodes.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { ownCertifiedKey } from "./own-certificate.ts";

type WebNode = Extract<DicomNode, { kind: "web" }>;

export function secretNameOf(nodeId: string): string {
  return `node ${nodeId}`;
}

/** Returns a failure if the secret or this program's certificate is unavailable. */
export async function nodeWithSecrets(
  context: Pick<DesktopContext, "db" | "secrets">,
  node: DicomNode,
): Promise<ReachedNode | SendFailure> {
  const showsCertificate =
    node.kind === "web" ? node.signIn === "certificate" : (node.tls?.withOwnCertificate ?? false);
  const own = showsCertificate ? await ownCertifiedKey(context) : null;
  if (showsCertificate && own === null) return { reason: "own-certificate-missing", detail: "" };
  if (node.kind === "dimse") {
    const { host, port, aeTitle, tls } = node;
    return { kind: "dimse", host, port, aeTitle, encryption: tls ? { trusted: tls.trusted, own } : null };
  }
  const signIn = signInOf(node, context);
  if (signIn === null) return { reason: "secret-missing", detail: "" };
  return { kind: "web", url: node.url, trusted: node.trusted, own, signIn };
}

function signInOf({ id, signIn, user }: WebNode, { secrets }: Pick<DesktopContext, "secrets">) {
  if (signIn === "none" || signIn === "certificate") return { kind: "none" } as const;
  const secret = secrets.get(secretNameOf(id));
  if (secret === null) return null;
  return signIn === "basic"
    ? ({ kind: "basic", user, password: secret } as const)
    : ({ kind: "bearer", token: secret } as const);
}
