import type { Socket } from "node:net";
import type { association as associations, requests as requested, responses as answers } from "dcmjs-dimse";
import type { SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../transfer-syntaxes.ts";
import type { CommitmentReport } from "./commitment/storage-commitment.ts";
import { association, constants } from "./dimse.ts";
import { endSoon, GatedSocket } from "./gated-socket.ts";
import type { AssociationRole } from "./message-fragments.ts";
import type { NodeJob } from "./node-calls.ts";
import { StoreProvider } from "./receiving/store-provider.ts";
import { openSocket, type ReachedPeer } from "./secure-socket.ts";
import { failureOfPdu, failureOfRejection } from "./sending/rejections.ts";

type Request = InstanceType<typeof requested.Request>;
export type Response = InstanceType<typeof answers.Response>;
type Association = InstanceType<typeof associations.Association>;

/** A proposed presentation context; `isProvider`: the peer may send us objects of this class. */
export type ProposedContext = {
  readonly uid: string;
  readonly transferSyntaxes?: readonly string[];
  readonly isProvider?: boolean;
};

export type RequestPlan = {
  readonly role: AssociationRole;
  readonly contexts: readonly ProposedContext[];
  /** Folder for received objects and reports; absent if the role receives none. */
  readonly folder?: string;
  readonly onReceived?: (fileName: string) => void;
  readonly isExpected?: (report: CommitmentReport) => boolean;
  /**
   * Creates the requests; a failure ends the association.
   *
   * @param syntaxes      accepted transfer syntax of each context, null for a refused one
   * @param writtenBytes  number of bytes written so far
   */
  readonly begin: (
    syntaxes: readonly (string | null)[],
    writtenBytes: () => number,
  ) => readonly Request[] | SendFailure;
  /**
   * Called with each response and the data set of a match. A failure ends the association; "enough" ends it without
   * one.
   */
  readonly onResponse: (response: Response, match: Buffer | null) => SendFailure | "enough" | null;
  /** Called after the last response; must release the association, which happens at once by default. */
  readonly onDone?: (release: () => void) => void;
};

/** Whether more responses follow. @see DICOM PS3.4 tables C.4-1 and C.4-2 */
export function isPending(response: Response): boolean {
  return response.getStatus() >> 8 === 0xff;
}

export async function request(job: NodeJob<ReachedPeer>, plan: RequestPlan): Promise<SendFailure | null> {
  const { associationMs, lastBytesMs } = job.limits;
  const socket = await openSocket(job.node, associationMs);
  if ("reason" in socket) return socket;
  const failure = await new Promise<SendFailure | null>((ended) =>
    new RequestingAssociation(socket, job, plan, ended).request(),
  );
  endSoon(socket, lastBytesMs);
  return failure;
}

/**
 * Association that sends requests. Extends the library's provider class: the library's client opens the socket itself,
 * so that no gate could be added. Both classes share the same association code.
 */
class RequestingAssociation extends StoreProvider {
  readonly #socket: GatedSocket;
  readonly #job: NodeJob<ReachedPeer>;
  readonly #plan: RequestPlan;
  readonly #ended: (failure: SendFailure | null) => void;
  #contextIds: readonly number[] = [];
  #unanswered = Number.POSITIVE_INFINITY;
  #hasEnded = false;

  constructor(
    socket: Socket,
    job: NodeJob<ReachedPeer>,
    plan: RequestPlan,
    ended: (failure: SendFailure | null) => void,
  ) {
    const gated = new GatedSocket(socket, plan.role, job.limits);
    const { folder = "", isExpected, onReceived = () => undefined } = plan;
    const provider = { aeTitle: job.aeTitle, allowedAeTitles: null, folder, isRefusing: () => false };
    super(gated, { ...provider, ...(isExpected && { isExpected }) }, onReceived);
    this.#socket = gated;
    this.#job = job;
    this.#plan = plan;
    this.#ended = ended;
    this.on("associationAccepted", (accepted: Association) => this.#begin(accepted));
    this.on("associationRejected", (refusal: { source: number; reason: number }) =>
      this.#end(failureOfRejection(refusal)),
    );
    const release = () => {
      if (!this.#hasEnded) this.sendAssociationReleaseRequest();
    };
    this.on("done", () => (plan.onDone ? plan.onDone(release) : release()));
    // The library silently skips requests that it cannot send.
    this.on("associationReleaseResponse", () =>
      this.#end(this.#unanswered === 0 ? null : { reason: "connection-lost", detail: `${this.#unanswered} not sent` }),
    );
    this.on("close", () => this.#handleClose());
  }

  request(): void {
    const { node, aeTitle } = this.#job;
    const proposal = new association.Association(aeTitle, node.aeTitle);
    this.facts.callingAeTitle = node.aeTitle;
    this.#contextIds = this.#plan.contexts.map((context) => {
      const { uid, transferSyntaxes = [explicitLittleEndian, implicitLittleEndian], isProvider } = context;
      const id = proposal.addPresentationContext(uid);
      for (const syntax of transferSyntaxes) proposal.addTransferSyntaxToPresentationContext(id, syntax);
      if (isProvider) proposal.getPresentationContext(id).setProviderRole(true);
      return id;
    });
    this.sendAssociationRequest(proposal);
  }

  override abort(): void {
    this.#handleClose();
  }

  #begin(accepted: Association): void {
    const tooSmall = failureOfPdu(accepted.getMaxPduLength());
    if (tooSmall) return this.#end(tooSmall);
    const { Accept } = constants.PresentationContextResult;
    const syntaxes = this.#contextIds.map((id) => {
      const context = accepted.getPresentationContext(id);
      return context.getResult() === Accept ? (context.getAcceptedTransferSyntaxUid() ?? null) : null;
    });
    const requests = syntaxes.every((syntax) => syntax === null)
      ? ({ reason: "kind-refused", detail: this.#plan.contexts[0]?.uid ?? "" } as const)
      : this.#plan.begin(syntaxes, () => this.#socket.writtenBytes);
    if ("reason" in requests) return this.#abandon(requests);
    this.#unanswered = requests.length;
    for (const one of requests) one.on("response", (response: Response) => this.#handleResponse(response));
    this.sendRequests([...requests]);
  }

  #handleResponse(response: Response): void {
    if (this.#hasEnded) return;
    const outcome = this.#plan.onResponse(response, this.#socket.match());
    if (outcome === "enough") return this.#end(null);
    if (outcome !== null) return this.#abandon(outcome);
    if (!isPending(response)) this.#unanswered -= 1;
    this.#socket.continueReading();
  }

  /** A node may disconnect, instead of confirming the release, after its last response. */
  #handleClose(): void {
    this.#end(this.#unanswered === 0 ? null : this.#socket.failure());
  }

  #abandon(failure: SendFailure): void {
    if (this.#hasEnded) return;
    this.sendAbort(constants.AbortSource.ServiceUser, constants.AbortReason.NotSpecified);
    this.#end(failure);
  }

  #end(failure: SendFailure | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#ended(failure);
  }
}
