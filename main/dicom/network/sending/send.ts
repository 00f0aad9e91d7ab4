import type { SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import type { ServedCall } from "../../../workers/serve-thread.ts";
import { readDicomFile } from "../../dicom-file.ts";
import { sopClasses } from "../../results/uids.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../../transfer-syntaxes.ts";
import { Dataset, requests } from "../dimse.ts";
import type { SendAnswer, SendJob } from "../node-calls.ts";
import { request, type ProposedContext } from "../requesting-association.ts";
import type { ReachedPeer } from "../secure-socket.ts";
import { statusText } from "../status-text.ts";
import { verificationClass } from "../storage-classes.ts";

type SentObject = {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly dataSet: Uint8Array;
};

const progressEveryMs = 100;
/** Whether a status means "stored": success, and the warnings B000 to BFFF. @see DICOM PS3.4 table B.2-1 */
const isStored = (status: number) => status === 0 || status >> 12 === 0xb;

/** Classes that a node may refuse, since the films are complete without them. */
const optional: readonly string[] = [sopClasses.presentationState, sopClasses.keyObjects];

/** Sends files by C-STORE in one association; without files, C-ECHO. @throws AppError INVALID_DICOM */
export async function send(
  { files, ...job }: SendJob<ReachedPeer>,
  call: ServedCall<SendProgress>,
): Promise<SendAnswer> {
  const objects = files.map(objectOf);
  // A node accepts only one syntax per context.
  const kinds = [...new Map(objects.map((object) => [kindOf(object), object])).values()];
  const totalBytes = objects.reduce((sum, { dataSet }) => sum + dataSet.length, 0);
  let sentBytes = () => 0;
  let sentObjects = 0;
  let leftOut: readonly string[] = [];
  const reportProgress = () => {
    const bytes = Math.max(0, Math.min(totalBytes, sentBytes()));
    if (objects.length > 0) call.progress({ sentBytes: bytes, totalBytes, sentObjects, objects: objects.length });
  };
  const watch = setInterval(reportProgress, progressEveryMs);
  const failure = await request(job, {
    role: "user",
    contexts:
      objects.length === 0
        ? [{ uid: verificationClass, transferSyntaxes: [implicitLittleEndian] }]
        : kinds.map(contextOf),
    begin: (syntaxes, writtenBytes) => {
      const refused = kinds.find(
        ({ sopClassUid }, index) => syntaxes[index] === null && !optional.includes(sopClassUid),
      );
      if (refused) return { reason: "kind-refused", detail: refused.sopClassUid };
      const requestBytes = writtenBytes();
      sentBytes = () => writtenBytes() - requestBytes;
      const accepted = new Map(kinds.map((object, index) => [kindOf(object), syntaxes[index] ?? null]));
      const dataSets = objects.flatMap((object) => {
        const syntax = accepted.get(kindOf(object));
        return syntax ? [dataSetFor(object, syntax)] : [];
      });
      leftOut = objects.filter((object) => !accepted.get(kindOf(object))).map(({ sopInstanceUid }) => sopInstanceUid);
      return objects.length === 0
        ? [new requests.CEchoRequest()]
        : dataSets.map((dataSet) => new requests.CStoreRequest(dataSet));
    },
    onResponse: (response) => {
      const status = response.getStatus();
      if (!isStored(status)) return { reason: "object-refused", detail: statusText(status) };
      sentObjects += 1;
      reportProgress();
      return null;
    },
  });
  clearInterval(watch);
  return { failure, leftOut };
}

function objectOf(bytes: Uint8Array): SentObject {
  const file = readDicomFile(bytes);
  return {
    sopClassUid: file.text("00080016") ?? "",
    sopInstanceUid: file.text("00080018") ?? "",
    transferSyntaxUid: file.transferSyntaxUid,
    dataSet: file.dataSet,
  };
}

function contextOf({ sopClassUid: uid, transferSyntaxUid }: SentObject): ProposedContext {
  // Explicit VR comes with the default syntax, which every node must support and the library can convert to.
  const isPlain = transferSyntaxUid === explicitLittleEndian;
  return { uid, transferSyntaxes: isPlain ? [transferSyntaxUid, implicitLittleEndian] : [transferSyntaxUid] };
}

function kindOf({ sopClassUid, transferSyntaxUid }: SentObject): string {
  return `${sopClassUid} ${transferSyntaxUid}`;
}

/** Data set with the object's bytes; re-encoded by the library if the peer accepts only implicit little endian. */
function dataSetFor(object: SentObject, acceptedSyntax: string): InstanceType<typeof Dataset> {
  const bytes = Buffer.from(object.dataSet.buffer, object.dataSet.byteOffset, object.dataSet.byteLength);
  return acceptedSyntax === object.transferSyntaxUid
    ? new EncodedDataset(object, bytes)
    : new Dataset(bytes, object.transferSyntaxUid);
}

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
