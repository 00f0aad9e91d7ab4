import type { Socket } from "node:net";
import type { association as associations, requests as requested, responses as answers } from "dcmjs-dimse";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../../transfer-syntaxes.ts";
import { Dataset, Scp, association, constants, librarySocket, requests, responses } from "../dimse.ts";
import { GatedSocket } from "../gated-socket.ts";
import { failureOfPdu, failureOfRejection } from "../sending/rejections.ts";
import { statusText } from "../status-text.ts";
import { storageCommitment, type CommitmentAnswer, type CommitmentJob } from "./commitment-calls.ts";
import { saveReport } from "../receiving/received-report.ts";
import { commitmentReportOf } from "./commitment-report.ts";

type EventRequest = InstanceType<typeof requested.NEventReportRequest>;
type EventResponse = InstanceType<typeof answers.NEventReportResponse>;
type ActionResponse = InstanceType<typeof answers.Response>;

/** Request Storage Commitment. @see DICOM PS3.4 J.3.2 */
const requestCommitment = 1;

/** Association that requests storage commitment; the node may report on the same association. */
export class CommitmentAssociation extends Scp {
  readonly #socket: GatedSocket;
  readonly #job: CommitmentJob;
  readonly #ended: (answer: CommitmentAnswer) => void;
  #waiting: NodeJS.Timeout | undefined;
  #reportFile: CommitmentAnswer["reportFile"] = null;
  #isAccepted = false;
  #hasEnded = false;

  constructor(socket: Socket, job: CommitmentJob, ended: (answer: CommitmentAnswer) => void) {
    const gated = new GatedSocket(socket, "committer", job.limits);
    super(librarySocket(gated));
    this.#socket = gated;
    this.#job = job;
    this.#ended = ended;
    this.on("associationAccepted", (accepted: InstanceType<typeof associations.Association>) =>
      this.#sendRequest(accepted),
    );
    this.on("associationRejected", (refusal: { source: number; reason: number }) =>
      this.#end(failureOfRejection(refusal)),
    );
    this.on("associationReleaseResponse", () => this.#end(null));
    this.on("networkError", () => this.#handleClose());
    this.on("close", () => this.#handleClose());
  }

  /** Requests the association; the peer's response triggers all further steps. */
  request(): void {
    const proposal = new association.Association(this.#job.aeTitle, this.#job.peer.aeTitle);
    const id = proposal.addPresentationContext(storageCommitment.uid);
    for (const syntax of [explicitLittleEndian, implicitLittleEndian])
      proposal.addTransferSyntaxToPresentationContext(id, syntax);
    this.sendAssociationRequest(proposal);
  }

  override nEventReportRequest(request: EventRequest, answer: (response: EventResponse) => void): void {
    const report = commitmentReportOf(request.getDataset()?.getElements());
    const isOurs = report?.transactionUid === this.#job.transactionUid;
    const fileName = isOurs ? saveReport(this.#job.folder, report) : null;
    const response = responses.NEventReportResponse.fromRequest(request);
    response.setStatus(fileName === null ? constants.Status.ProcessingFailure : constants.Status.Success);
    answer(response);
    if (fileName === null) return;
    this.#reportFile = fileName;
    this.#release();
  }

  override abort(): void {
    this.#handleClose();
  }

  #sendRequest(accepted: InstanceType<typeof associations.Association>): void {
    const isKnown = accepted
      .getPresentationContexts()
      .some(({ context }) => context.getResult() === constants.PresentationContextResult.Accept);
    if (!isKnown) return this.#end({ reason: "kind-refused", detail: storageCommitment.uid });
    const tooSmall = failureOfPdu(accepted.getMaxPduLength());
    if (tooSmall) return this.#end(tooSmall);
    const { transactionUid, objects } = this.#job;
    const request = new requests.NActionRequest(
      storageCommitment.uid,
      storageCommitment.instanceUid,
      requestCommitment,
    );
    request.setDataset(
      new Dataset({
        TransactionUID: transactionUid,
        ReferencedSOPSequence: objects.map(({ sopClassUid, sopInstanceUid }) => ({
          ReferencedSOPClassUID: sopClassUid,
          ReferencedSOPInstanceUID: sopInstanceUid,
        })),
      }),
    );
    request.on("response", (response: ActionResponse) => this.#handleResponse(response));
    this.sendRequests([request]);
  }

  #handleResponse(response: ActionResponse): void {
    const status = response.getStatus();
    if (status !== 0) return this.#end({ reason: "query-refused", detail: statusText(status) });
    this.#isAccepted = true;
    this.#waiting = setTimeout(() => this.#release(), this.#job.waitMs);
    this.#socket.continueReading();
  }

  #release(): void {
    clearTimeout(this.#waiting);
    if (!this.#hasEnded) this.sendAssociationReleaseRequest();
  }

  /** A node may disconnect after it has accepted the request: its report then follows on another association. */
  #handleClose(): void {
    this.#end(this.#isAccepted ? null : this.#socket.failure());
  }

  #end(failure: SendFailure | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#waiting);
    this.#ended({ reportFile: this.#reportFile, failure });
  }
}
