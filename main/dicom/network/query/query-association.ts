import type { Socket } from "node:net";
import type { requests as requested, responses as answers } from "dcmjs-dimse";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../../transfer-syntaxes.ts";
import { association, constants } from "../dimse.ts";
import { GatedSocket } from "../gated-socket.ts";
import type { NetworkLimits } from "../network-limits.ts";
import { StoreProvider } from "../receiving/store-provider.ts";
import { failureOfPdu, failureOfRejection } from "../sending/rejections.ts";
import type { ReachedPeer } from "../secure-socket.ts";

type Request = InstanceType<typeof requested.Request>;
type Association = InstanceType<typeof association.Association>;
export type QueryResponse = InstanceType<typeof answers.Response>;

/** A proposed presentation context; `isProvider`: the peer may send us objects of this class. */
export type WantedContext = {
  readonly uid: string;
  readonly transferSyntaxes?: readonly string[];
  readonly isProvider?: boolean;
};

/** A match as received: the library would decode its texts by the first character set only, without one as Latin-1. */
export type EncodedMatch = { readonly dataSet: Buffer; readonly transferSyntaxUid: string };

export type QueryPlan = {
  readonly peer: ReachedPeer;
  readonly aeTitle: string;
  readonly limits: NetworkLimits;
  readonly contexts: readonly WantedContext[];
  readonly folder: string;
  /** Creates the only request of the association from the accepted contexts; a failure if none is suitable. */
  readonly requestFor: (accepted: ReadonlySet<string>) => Request | SendFailure;
  /** Called with each response; returns false to end the association early. */
  readonly onResponse: (response: QueryResponse, match: EncodedMatch | null) => boolean;
  readonly received: (fileName: string) => void;
  readonly ended: (failure: SendFailure | null) => void;
};

/** Whether more responses follow. @see DICOM PS3.4 tables C.4-1 and C.4-2 */
export function isPending(response: QueryResponse): boolean {
  return response.getStatus() >> 8 === 0xff;
}

/** Association that queries a PACS and receives objects requested by C-GET. */
export class QueryAssociation extends StoreProvider {
  readonly #socket: GatedSocket;
  readonly #plan: QueryPlan;
  /** Transfer syntax of the request's context. */
  #transferSyntaxUid = implicitLittleEndian;
  #isComplete = false;
  #hasEnded = false;

  constructor(socket: Socket, plan: QueryPlan) {
    const gated = new GatedSocket(socket, "asker", plan.limits);
    const { aeTitle, folder } = plan;
    super(gated, { aeTitle, allowedAeTitles: null, folder, isRefusing: () => false }, plan.received);
    this.#socket = gated;
    this.#plan = plan;
    this.on("associationAccepted", (accepted: Association) => this.#sendRequest(accepted));
    this.on("associationRejected", (refusal: { source: number; reason: number }) =>
      this.#end(failureOfRejection(refusal)),
    );
    this.on("associationReleaseResponse", () => this.#handleClose());
    this.on("networkError", () => this.#handleClose());
    this.on("close", () => this.#handleClose());
  }

  request(): void {
    const { peer, aeTitle, contexts } = this.#plan;
    const proposal = new association.Association(aeTitle, peer.aeTitle);
    this.facts.callingAeTitle = peer.aeTitle;
    for (const { uid, transferSyntaxes = [explicitLittleEndian, implicitLittleEndian], isProvider } of contexts) {
      const id = proposal.addPresentationContext(uid);
      for (const syntax of transferSyntaxes) proposal.addTransferSyntaxToPresentationContext(id, syntax);
      if (isProvider) proposal.getPresentationContext(id).setProviderRole(true);
    }
    this.sendAssociationRequest(proposal);
  }

  override abort(): void {
    this.#handleClose();
  }

  #sendRequest(accepted: Association): void {
    const { Accept } = constants.PresentationContextResult;
    const contexts = accepted.getPresentationContexts().map(({ context }) => context);
    const tooSmall = failureOfPdu(accepted.getMaxPduLength());
    if (tooSmall) return this.#end(tooSmall);
    const known = contexts.filter((context) => context.getResult() === Accept);
    const request = this.#plan.requestFor(new Set(known.map((context) => context.getAbstractSyntaxUid())));
    if ("reason" in request) return this.#end(request);
    const asked = known.find((context) => context.getAbstractSyntaxUid() === request.getAffectedSopClassUid());
    this.#transferSyntaxUid = asked?.getAcceptedTransferSyntaxUid() ?? implicitLittleEndian;
    request.on("response", (response: QueryResponse) => this.#handleResponse(response));
    this.sendRequests([request]);
  }

  #handleResponse(response: QueryResponse): void {
    if (this.#hasEnded) return;
    const dataSet = this.#socket.match();
    const match = dataSet && { dataSet, transferSyntaxUid: this.#transferSyntaxUid };
    const continues = this.#plan.onResponse(response, match);
    if (!continues) return this.#end(null);
    if (isPending(response)) return this.#socket.continueReading();
    this.#isComplete = true;
    this.sendAssociationReleaseRequest();
  }

  /** A PACS may disconnect, instead of confirming the release, after its last response. */
  #handleClose(): void {
    this.#end(this.#isComplete ? null : this.#socket.failure());
  }

  #end(failure: SendFailure | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#plan.ended(failure);
  }
}
