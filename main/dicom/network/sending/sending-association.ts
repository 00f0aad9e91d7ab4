import type { Socket } from "node:net";
import type { requests as requested, responses as answers } from "dcmjs-dimse";
import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../../transfer-syntaxes.ts";
import { Dataset, Scp, association, constants, librarySocket, requests } from "../dimse.ts";
import { GatedSocket } from "../gated-socket.ts";
import { sopClasses } from "../../results/uids.ts";
import { statusText } from "../status-text.ts";
import { failureOfPdu, failureOfRejection } from "./rejections.ts";
import type { SendJob, SentObject } from "./sender-calls.ts";

type Request = InstanceType<typeof requested.Request>;
type Response = InstanceType<typeof answers.Response>;

type Events = {
  readonly progress: (progress: SendProgress) => void;
  /** @param leftOut  SOP Instance UIDs of the optional objects that the node does not accept */
  readonly ended: (failure: SendFailure | null, leftOut: readonly string[]) => void;
};

const progressEveryMs = 100;
/** Whether a status means "stored": success, and the warnings B000 to BFFF. @see DICOM PS3.4 table B.2-1 */
const isStored = (status: number) => status === 0 || status >> 12 === 0xb;

/** Classes that a node may refuse, since the films are complete without them. */
const optional: readonly string[] = [sopClasses.presentationState, sopClasses.keyObjects];

/**
 * Association that sends objects.
 *
 * Extends the library's provider class: the library's client opens the socket itself, so that no gate could be added.
 * Both classes share the same association code.
 */
export class SendingAssociation extends Scp {
  readonly #socket: GatedSocket;
  readonly #job: SendJob;
  readonly #events: Events;
  readonly #totalBytes: number;
  readonly #watch: NodeJS.Timeout;
  /** Presentation context of each class and transfer syntax: a node accepts only one syntax per context. */
  readonly #contexts = new Map<string, number>();
  #leftOut: readonly string[] = [];
  /** Bytes of the association request, which contains no objects. */
  #requestBytes = Number.POSITIVE_INFINITY;
  #unanswered = Number.POSITIVE_INFINITY;
  #sentObjects = 0;
  #hasEnded = false;

  constructor(socket: Socket, job: SendJob, events: Events) {
    const gated = new GatedSocket(socket, "user", job.limits);
    super(librarySocket(gated));
    this.#socket = gated;
    this.#job = job;
    this.#events = events;
    this.#totalBytes = job.objects.reduce((sum, { dataSet }) => sum + dataSet.length, 0);
    this.#watch = setInterval(() => this.#reportProgress(), progressEveryMs);
    this.on("associationAccepted", (accepted: InstanceType<typeof association.Association>) => this.#send(accepted));
    this.on("associationRejected", (refusal: { source: number; reason: number }) =>
      this.#end(failureOfRejection(refusal)),
    );
    this.on("done", () => this.sendAssociationReleaseRequest());
    // The library silently skips objects that it cannot send.
    this.on("associationReleaseResponse", () =>
      this.#end(this.#unanswered === 0 ? null : { reason: "connection-lost", detail: `${this.#unanswered} not sent` }),
    );
    this.on("networkError", () => this.#handleClose());
    this.on("close", () => this.#handleClose());
  }

  request(): void {
    const { peer, aeTitle, objects } = this.#job;
    const proposal = new association.Association(aeTitle, peer.aeTitle);
    if (objects.length === 0)
      proposal.addPresentationContextFromRequest(new requests.CEchoRequest(), [implicitLittleEndian]);
    for (const object of objects) {
      if (this.#contexts.has(kindOf(object))) continue;
      const context = proposal.addPresentationContext(object.sopClassUid);
      this.#contexts.set(kindOf(object), context);
      proposal.addTransferSyntaxToPresentationContext(context, object.transferSyntaxUid);
      // The default syntax, which every node must support; the library can convert an uncompressed object to it.
      if (object.transferSyntaxUid === explicitLittleEndian)
        proposal.addTransferSyntaxToPresentationContext(context, implicitLittleEndian);
    }
    this.sendAssociationRequest(proposal);
  }

  override abort(): void {
    this.#handleClose();
  }

  #send(accepted: InstanceType<typeof association.Association>): void {
    const contexts = accepted.getPresentationContexts().map(({ context }) => context);
    const refused = contexts.find(
      (context) =>
        context.getResult() !== constants.PresentationContextResult.Accept &&
        (!optional.includes(context.getAbstractSyntaxUid()) || contexts.length === 1),
    );
    if (refused) return this.#end({ reason: "kind-refused", detail: refused.getAbstractSyntaxUid() });
    const tooSmall = failureOfPdu(accepted.getMaxPduLength());
    if (tooSmall) return this.#end(tooSmall);
    const contextOf = (object: SentObject) =>
      accepted.getPresentationContext(this.#contexts.get(kindOf(object)) as number);
    const isAccepted = (object: SentObject) =>
      contextOf(object).getResult() === constants.PresentationContextResult.Accept;
    const all: Request[] = this.#job.objects
      .filter(isAccepted)
      .map(
        (object) => new requests.CStoreRequest(dataSetFor(object, contextOf(object).getAcceptedTransferSyntaxUid())),
      );
    this.#leftOut = this.#job.objects
      .filter((object) => !isAccepted(object))
      .map(({ sopInstanceUid }) => sopInstanceUid);
    if (all.length === 0) all.push(new requests.CEchoRequest());
    this.#unanswered = all.length;
    this.#requestBytes = this.#socket.writtenBytes;
    for (const request of all) request.on("response", (response: Response) => this.#handleResponse(response));
    this.sendRequests(all);
  }

  #handleResponse(response: Response): void {
    if (!isStored(response.getStatus()))
      return this.#end({ reason: "object-refused", detail: statusText(response.getStatus()) });
    this.#unanswered -= 1;
    this.#sentObjects += 1;
    this.#reportProgress();
  }

  #reportProgress(): void {
    const sentBytes = Math.max(0, Math.min(this.#totalBytes, this.#socket.writtenBytes - this.#requestBytes));
    const objects = this.#job.objects.length;
    if (!this.#hasEnded && objects > 0)
      this.#events.progress({
        sentBytes,
        totalBytes: this.#totalBytes,
        sentObjects: Math.min(this.#sentObjects, objects),
        objects,
      });
  }

  /** A node may disconnect, instead of confirming the release, after it has stored everything. */
  #handleClose(): void {
    this.#end(this.#unanswered === 0 ? null : this.#socket.failure());
  }

  #end(failure: SendFailure | null): void {
    if (this.#hasEnded) return;
    this.#reportProgress();
    this.#hasEnded = true;
    clearInterval(this.#watch);
    if (failure?.reason === "object-refused" || failure?.reason === "kind-refused")
      this.sendAbort(constants.AbortSource.ServiceUser, constants.AbortReason.NotSpecified);
    this.#events.ended(failure, this.#leftOut);
  }
}

/** Key of the presentation context in which an object is sent. */
function kindOf({ sopClassUid, transferSyntaxUid }: SentObject): string {
  return `${sopClassUid} ${transferSyntaxUid}`;
}

/** Data set with the object's bytes; re-encoded by the library if the peer accepts only implicit little endian. */
function dataSetFor(object: SentObject, acceptedSyntax: string | undefined): InstanceType<typeof Dataset> {
  const bytes = Buffer.from(object.dataSet.buffer, object.dataSet.byteOffset, object.dataSet.byteLength);
  return acceptedSyntax === object.transferSyntaxUid
    ? new EncodedDataset(object, bytes)
    : new Dataset(bytes, object.transferSyntaxUid);
}

/** A data set that is sent unchanged. */
class EncodedDataset extends Dataset {
  readonly #bytes: Buffer;

  constructor({ sopClassUid, sopInstanceUid, transferSyntaxUid }: SentObject, bytes: Buffer) {
    super({ SOPClassUID: sopClassUid, SOPInstanceUID: sopInstanceUid }, transferSyntaxUid);
    this.#bytes = bytes;
  }

  override getDenaturalizedDataset(): Buffer {
    return this.#bytes;
  }
}
