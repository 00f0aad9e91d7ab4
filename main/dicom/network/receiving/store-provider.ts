import type { association as associations, requests as requested, responses as answers } from "dcmjs-dimse";
import type { AssociationEntry, AssociationFault } from "../../../../core/contract/desktop/network/dicom.ts";
import { transferSyntaxes } from "../../pixels/coded/transfer-syntaxes.ts";
import { Dataset, Scp, constants, librarySocket, responses } from "../dimse.ts";
import type { GatedSocket } from "../gated-socket.ts";
import { GateFault } from "../message-fragments.ts";
import { commitmentReportOf, storageCommitment, type CommitmentReport } from "../commitment/storage-commitment.ts";
import { saveReport } from "./received-report.ts";
import { ReceivedObject, storeStatus } from "./received-object.ts";
import type { ReceiverOptions } from "./receiver-calls.ts";
import { storageClasses, verificationClass } from "../storage-classes.ts";

type Association = InstanceType<typeof associations.Association>;
type PresentationContext = InstanceType<typeof associations.PresentationContext>;
type EchoRequest = InstanceType<typeof requested.CEchoRequest>;
type EchoResponse = InstanceType<typeof answers.CEchoResponse>;
type EventRequest = InstanceType<typeof requested.NEventReportRequest>;
type EventResponse = InstanceType<typeof answers.NEventReportResponse>;
type StoreRequest = InstanceType<typeof requested.CStoreRequest>;
type StoreResponse = InstanceType<typeof answers.CStoreResponse>;

export type ProviderOptions = Pick<ReceiverOptions, "aeTitle" | "allowedAeTitles" | "folder"> & {
  readonly isRefusing: () => boolean;
  /** Whether a storage commitment report is accepted; all are by default. */
  readonly isExpected?: (report: CommitmentReport) => boolean;
};

type ProviderFacts = Omit<AssociationEntry, "at" | "address" | "associations"> & { isReleased: boolean };
export const noFacts = { callingAeTitle: null, calledAeTitle: null, storedObjects: 0, refusedObjects: 0, echoes: 0 };

const imageSyntaxes = new Set(transferSyntaxes.map(({ uid }) => uid));
const storageUids = new Set(storageClasses.map(({ uid }) => uid));
const baseSyntaxes = new Set([
  constants.TransferSyntax.ImplicitVRLittleEndian,
  constants.TransferSyntax.ExplicitVRLittleEndian,
]);

export class StoreProvider extends Scp {
  readonly facts: ProviderFacts = { ...noFacts, fault: null, isReleased: false };
  readonly #socket: GatedSocket;
  readonly #options: ProviderOptions;
  readonly #onReceived: (fileName: string) => void;
  #arriving: ReceivedObject | null = null;

  constructor(socket: GatedSocket, options: ProviderOptions, onReceived: (fileName: string) => void) {
    super(librarySocket(socket));
    this.#socket = socket;
    this.#options = options;
    this.#onReceived = onReceived;
    this.on("networkError", () => socket.refuse(new GateFault("not-dicom", "a PDU that cannot be read")));
    this.on("close", () => this.#arriving?.discard());
  }

  override associationRequested(association: Association): void {
    this.facts.callingAeTitle = shownTitle(association.getCallingAeTitle());
    this.facts.calledAeTitle = shownTitle(association.getCalledAeTitle());
    const { RejectReason, RejectResult, RejectSource } = constants;
    if (association.getCalledAeTitle() !== this.#options.aeTitle)
      return this.#reject("called-ae-wrong", RejectReason.CalledAeNotRecognized);
    const { allowedAeTitles } = this.#options;
    if (allowedAeTitles && !allowedAeTitles.includes(association.getCallingAeTitle()))
      return this.#reject("calling-ae-not-allowed", RejectReason.CallingAeNotRecognized);
    const contexts = association.getPresentationContexts().map(({ context }) => context);
    for (const context of contexts) negotiateContext(context);
    if (!contexts.some((context) => context.getResult() === constants.PresentationContextResult.Accept)) {
      return this.#reject(
        "nothing-acceptable",
        RejectReason.NoReasonGiven,
        RejectResult.Permanent,
        RejectSource.ServiceUser,
      );
    }
    // The library would repeat the peer's proposals: asynchronous operations and PDUs of any size.
    association.setNegotiateAsyncOps(false);
    if (association.getMaxPduLength() === 0) association.setMaxPduLength(Infinity);
    this.sendAssociationAccept();
  }

  override associationReleaseRequested(): void {
    this.facts.isReleased = true;
    this.sendAssociationReleaseResponse();
    this.#socket.finish();
  }

  override cEchoRequest(request: EchoRequest, answer: (response: EchoResponse) => void): void {
    this.facts.echoes += 1;
    const response = responses.CEchoResponse.fromRequest(request);
    response.setStatus(storeStatus.success);
    answer(response);
  }

  override createStoreWritableStream(context: PresentationContext, request: StoreRequest): ReceivedObject {
    this.#arriving = new ReceivedObject(this.#options.folder, {
      sopClassUid: request.getAffectedSopClassUid(),
      sopInstanceUid: request.getAffectedSopInstanceUid(),
      transferSyntaxUid: context.getAcceptedTransferSyntaxUid() ?? "",
      sourceAeTitle: this.facts.callingAeTitle ?? "",
    });
    return this.#arriving;
  }

  override createDatasetFromStoreWritableStream(
    _object: unknown,
    _context: PresentationContext,
    done: (dataset: InstanceType<typeof Dataset>) => void,
  ): void {
    // The object is stored as received; the library would parse and re-encode it.
    done(new Dataset({}));
  }

  override cStoreRequest(request: StoreRequest, answer: (response: StoreResponse) => void): void {
    const { status, fileName } = this.#keepArriving();
    if (fileName === null) this.facts.refusedObjects += 1;
    else this.facts.storedObjects += 1;
    const response = responses.CStoreResponse.fromRequest(request);
    response.setStatus(status);
    answer(response);
    if (fileName !== null) this.#onReceived(fileName);
  }

  #keepArriving(): { readonly status: number; readonly fileName: string | null } {
    const arriving = this.#arriving;
    this.#arriving = null;
    if (arriving && this.#options.isRefusing()) {
      arriving.discard();
      return { status: storeStatus.outOfResources, fileName: null };
    }
    return arriving?.keep() ?? { status: storeStatus.cannotUnderstand, fileName: null };
  }

  override nEventReportRequest(request: EventRequest, answer: (response: EventResponse) => void): void {
    const report = commitmentReportOf(request.getDataset()?.getElements());
    const isExpected = report !== null && (this.#options.isExpected?.(report) ?? true);
    const fileName = isExpected ? saveReport(this.#options.folder, report) : null;
    const response = responses.NEventReportResponse.fromRequest(request);
    response.setStatus(fileName === null ? constants.Status.ProcessingFailure : constants.Status.Success);
    answer(response);
    if (fileName !== null) this.#onReceived(fileName);
  }

  override abort(): void {
    this.facts.fault = "connection-lost";
    this.#socket.destroy();
  }

  #reject(
    fault: AssociationFault,
    reason: number,
    result = constants.RejectResult.Permanent,
    source = constants.RejectSource.ServiceUser,
  ): void {
    this.facts.fault = fault;
    this.sendAssociationReject(result, source, reason);
    this.#socket.finish();
  }
}

function negotiateContext(context: PresentationContext): void {
  const { Accept, RejectAbstractSyntaxNotSupported, RejectTransferSyntaxesNotSupported } =
    constants.PresentationContextResult;
  const abstractSyntax = context.getAbstractSyntaxUid();
  const known =
    abstractSyntax === verificationClass || abstractSyntax === storageCommitment.uid
      ? baseSyntaxes
      : storageUids.has(abstractSyntax)
        ? imageSyntaxes
        : null;
  if (known === null) return context.setResult(RejectAbstractSyntaxNotSupported);
  const syntax = context.getTransferSyntaxUids().find((uid) => known.has(uid));
  if (syntax === undefined) return context.setResult(RejectTransferSyntaxesNotSupported);
  context.setResult(Accept, syntax);
}

/** Sanitizes a title from the network: at most 16 printable ASCII characters. */
function shownTitle(title: string): string {
  return title.replace(/[^\x20-\x7e]/g, "?").slice(0, 16);
}
