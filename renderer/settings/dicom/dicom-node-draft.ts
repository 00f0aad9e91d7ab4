import type { DicomNode } from "../../../core/contract/desktop/network/dicom.ts";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";

const empty = {
  kind: "dimse" as DicomNode["kind"],
  name: "",
  host: "",
  /** NaN while the input is invalid. */
  port: 104,
  aeTitle: "",
  encryption: "none" as "none" | "on" | "own",
  url: "https://",
  signIn: "none" as Extract<DicomNode, { kind: "web" }>["signIn"],
  user: "",
  /** New password or token; the stored one is never sent to the page. */
  secret: "",
  trusted: "",
  asksCommitment: false,
  offersWorklist: false,
};

export type NodeDraft = Readonly<typeof empty>;

export function draftOf(node: DicomNode | null): NodeDraft {
  if (node === null) return empty;
  if (node.kind === "web") return { ...empty, ...node };
  const { tls, asksCommitment = false, offersWorklist = false, ...fields } = node;
  const encryption = tls ? (tls.withOwnCertificate ? "own" : "on") : "none";
  return {
    ...empty,
    ...fields,
    asksCommitment,
    offersWorklist,
    encryption,
    trusted: tls?.trusted ?? "",
  };
}

export function requestOf(draft: NodeDraft, nodeId: string | null): DesktopRequest<"dicom.saveNode"> {
  const [name, trusted] = [draft.name.trim(), draft.trusted.trim()];
  if (draft.kind === "web") {
    const { kind, signIn, secret } = draft;
    const [url, user] = [draft.url.trim(), signIn === "basic" ? draft.user.trim() : ""];
    return { kind, nodeId, name, url, signIn, user, trusted, ...(secret !== "" && { secret }) };
  }
  const { kind, encryption } = draft;
  const [host, aeTitle, port] = [draft.host.trim(), draft.aeTitle.trim(), draft.port];
  const tls = encryption === "none" ? undefined : { trusted, withOwnCertificate: encryption === "own" };
  const services = {
    ...(draft.asksCommitment && { asksCommitment: true }),
    ...(draft.offersWorklist && { offersWorklist: true }),
  };
  return { kind, nodeId, name, host, port, aeTitle, ...(tls && { tls }), ...services };
}
