import { createServer, type Server, type Socket } from "node:net";
import type { association as associations, requests as requested, responses as answers } from "dcmjs-dimse";
import { studyRoot } from "../../../../main/dicom/network/query/query-calls.ts";
import { Dataset, Scp, constants, requests, responses } from "../../../../main/dicom/network/dimse.ts";

type ActionRequest = InstanceType<typeof requested.NActionRequest>;
type Answer = InstanceType<typeof answers.NActionResponse>;
type FindRequest = InstanceType<typeof requested.CFindRequest>;
type FindAnswer = InstanceType<typeof answers.CFindResponse>;
type MoveRequest = InstanceType<typeof requested.CMoveRequest>;
type MoveAnswer = InstanceType<typeof answers.CMoveResponse>;
type StoreRequest = InstanceType<typeof requested.CStoreRequest>;
type StoreAnswer = InstanceType<typeof answers.CStoreResponse>;

export type Said = { readonly TransactionUID: string; readonly ReferencedSOPSequence: object[] };

/** Behaviour of the archive. By default it stores all objects and sends no reports. */
export type Behaviour = {
  /** Returns the commitment report to send over the same association; null for none. */
  readonly says?: (asked: Said) => object | null;
  /** Whether it sends the report before it responds to the request. */
  readonly saysFirst?: boolean;
  /** Called with the status of the response to the report. */
  readonly hears?: (status: number) => void;
  /** Status of the response to a commitment request. */
  readonly status?: number;
  /** Whether it disconnects after the response to a commitment request. */
  readonly leaves?: boolean;
  /** Called for C-MOVE of a study. No response is sent until it resolves to the number of moved objects. */
  readonly moves?: (studyInstanceUid: string) => Promise<number>;
  /** Returns the studies of a Patient ID. */
  readonly finds?: (patientId: string) => readonly string[];
  /** Returns the number of objects of a study; not stated if undefined. */
  readonly counts?: (studyInstanceUid: string) => number;
  /** Returns the status of a C-STORE. */
  readonly stores?: (sopInstanceUid: string) => number;
  /** SOP class that it does not accept. */
  readonly refuses?: string;
  /** Called with each request to release the association. */
  readonly releases?: () => void;
  /** Whether it disconnects instead of confirming the release. */
  readonly hangsUp?: boolean;
};

export function createArchive(behaviour: Behaviour): Server {
  return createServer((socket) => void new Archive(socket, behaviour));
}

class Archive extends Scp {
  readonly #socket: Socket;
  readonly #behaviour: Behaviour;

  constructor(socket: Socket, behaviour: Behaviour) {
    super(socket);
    this.#socket = socket;
    this.#behaviour = behaviour;
    this.on("networkError", () => undefined);
  }

  override associationRequested(association: InstanceType<typeof associations.Association>): void {
    for (const { context } of association.getPresentationContexts()) {
      const { Accept, RejectAbstractSyntaxNotSupported } = constants.PresentationContextResult;
      const isRefused = [studyRoot.get, this.#behaviour.refuses].includes(context.getAbstractSyntaxUid());
      context.setResult(isRefused ? RejectAbstractSyntaxNotSupported : Accept, context.getTransferSyntaxUids()[0]);
    }
    this.sendAssociationAccept();
  }

  override associationReleaseRequested(): void {
    this.#behaviour.releases?.();
    if (this.#behaviour.hangsUp) this.#socket.destroy();
    else this.sendAssociationReleaseResponse();
  }

  override cStoreRequest(request: StoreRequest, answer: (response: StoreAnswer) => void): void {
    const response = responses.CStoreResponse.fromRequest(request);
    response.setStatus(this.#behaviour.stores?.(request.getAffectedSopInstanceUid()) ?? 0);
    answer(response);
  }

  override cFindRequest(request: FindRequest, answer: (responses: FindAnswer[]) => void): void {
    const { PatientID } = request.getDataset()!.getElements() as { readonly PatientID: string };
    const pending = (this.#behaviour.finds?.(PatientID) ?? []).map((study) => {
      const match = responses.CFindResponse.fromRequest(request);
      match.setStatus(constants.Status.Pending);
      const counted = this.#behaviour.counts && { NumberOfStudyRelatedInstances: this.#behaviour.counts(study) };
      match.setDataset(new Dataset({ StudyInstanceUID: study, PatientID, ...counted }));
      return match;
    });
    const last = responses.CFindResponse.fromRequest(request);
    last.setStatus(constants.Status.Success);
    answer([...pending, last]);
  }

  override cMoveRequest(request: MoveRequest, answer: (responses: MoveAnswer[]) => void): void {
    const response = responses.CMoveResponse.fromRequest(request);
    response.setStatus(0);
    const { StudyInstanceUID } = request.getDataset()!.getElements() as { readonly StudyInstanceUID: string };
    void this.#behaviour.moves?.(StudyInstanceUID).then((moved) => {
      response.setCompleted(moved);
      answer([response]);
    });
  }

  override nActionRequest(request: ActionRequest, answer: (response: Answer) => void): void {
    const response = responses.NActionResponse.fromRequest(request);
    response.setStatus(this.#behaviour.status ?? 0);
    const { saysFirst, leaves, says, hears } = this.#behaviour;
    if (!saysFirst) answer(response);
    if (leaves) this.#socket.end();
    const event = says?.(request.getDataset()!.getElements() as Said) ?? null;
    if (event === null) return;
    const report = new requests.NEventReportRequest("1.2.840.10008.1.20.1", "1.2.840.10008.1.20.1.1", 1);
    report.setDataset(new Dataset({ ...event }));
    report.on("response", (said: Answer) => {
      hears?.(said.getStatus());
      if (saysFirst) answer(response);
    });
    this.sendRequests([report]);
  }
}
