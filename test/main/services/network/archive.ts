import { createServer, type Server, type Socket } from "node:net";
import type { association as associations, requests as requested, responses as answers } from "dcmjs-dimse";
import { studyRoot } from "../../../../main/dicom/network/query/query-calls.ts";
import { Dataset, Scp, constants, requests, responses } from "../../../../main/dicom/network/dimse.ts";

type ActionRequest = InstanceType<typeof requested.NActionRequest>;
type Answer = InstanceType<typeof answers.NActionResponse>;
type MoveRequest = InstanceType<typeof requested.CMoveRequest>;
type MoveAnswer = InstanceType<typeof answers.CMoveResponse>;
type StoreRequest = InstanceType<typeof requested.CStoreRequest>;
type StoreAnswer = InstanceType<typeof answers.CStoreResponse>;

/** What it was asked to answer for. */
export type Said = { readonly TransactionUID: string; readonly ReferencedSOPSequence: object[] };

/** How it behaves; without more it takes everything and answers for nothing. */
export type Behaviour = {
  /** The report over the same association; null for none. */
  readonly says?: (asked: Said) => object | null;
  /** Status with which it hears the question. */
  readonly status?: number;
  /** Told when it is asked to move a study; it answers, without a word before, when this resolves. */
  readonly moves?: () => Promise<void>;
  /** Status of an object. */
  readonly stores?: (sopInstanceUid: string) => number;
  /** A kind of object that it does not take. */
  readonly refuses?: string;
};

/** A PACS that does as it is told. */
export function createArchive(behaviour: Behaviour): Server {
  return createServer((socket) => void new Archive(socket, behaviour));
}

class Archive extends Scp {
  readonly #behaviour: Behaviour;

  constructor(socket: Socket, behaviour: Behaviour) {
    super(socket);
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
    this.sendAssociationReleaseResponse();
  }

  override cStoreRequest(request: StoreRequest, answer: (response: StoreAnswer) => void): void {
    const response = responses.CStoreResponse.fromRequest(request);
    response.setStatus(this.#behaviour.stores?.(request.getAffectedSopInstanceUid()) ?? 0);
    answer(response);
  }

  override cMoveRequest(request: MoveRequest, answer: (responses: MoveAnswer[]) => void): void {
    const response = responses.CMoveResponse.fromRequest(request);
    response.setStatus(0);
    response.setCompleted(1);
    void this.#behaviour.moves?.().then(() => answer([response]));
  }

  override nActionRequest(request: ActionRequest, answer: (response: Answer) => void): void {
    const response = responses.NActionResponse.fromRequest(request);
    response.setStatus(this.#behaviour.status ?? 0);
    answer(response);
    const event = this.#behaviour.says?.(request.getDataset()!.getElements() as Said) ?? null;
    if (event === null) return;
    const report = new requests.NEventReportRequest("1.2.840.10008.1.20.1", "1.2.840.10008.1.20.1.1", 1);
    report.setDataset(new Dataset({ ...event }));
    this.sendRequests([report]);
  }
}
