import type { AssociationFault } from "../../../core/contract/desktop/network/dicom.ts";
import { commandFields, readCommandSet } from "./command-set.ts";
import type { NetworkLimits } from "./network-limits.ts";

/**
 * Our role in the association. A `provider` receives requests and a `user` responses; an `asker` also receives the
 * requested objects, a `committer` also the peer's commitment reports.
 */
export type AssociationRole = "provider" | "user" | "asker" | "committer";

export type ProtocolFault = Extract<AssociationFault, "not-dicom" | "too-large" | "too-slow">;

export class GateFault extends Error {
  readonly fault: ProtocolFault;
  constructor(fault: ProtocolFault, message: string) {
    super(message);
    this.name = "GateFault";
    this.fault = fault;
  }
}

export type MessageFragments = {
  /** Checks the fragments of one P-DATA-TF PDU. @throws GateFault */
  check(pdu: Buffer): void;
  isMessageWhole(): boolean;
  match(): Buffer | null;
};

const acceptedCommands: Readonly<Record<AssociationRole, readonly number[]>> = {
  provider: [commandFields.storeRequest, commandFields.echoRequest, commandFields.eventReportRequest],
  user: [commandFields.storeResponse, commandFields.echoResponse],
  asker: [
    commandFields.findResponse,
    commandFields.moveResponse,
    commandFields.getResponse,
    commandFields.storeRequest,
  ],
  committer: [commandFields.actionResponse, commandFields.eventReportRequest],
};

const commandsWithDataSet: readonly number[] = [commandFields.storeRequest, commandFields.eventReportRequest];
/** Maximum size of an event's data set, which is held in memory, unlike an object [bytes]. */
const maxEventBytes = 1024 * 1024;

/** Commands with an optional data set: a match has one, the end of a search has none. */
const commandsWithOptionalDataSet: readonly number[] = [
  commandFields.findResponse,
  commandFields.moveResponse,
  commandFields.getResponse,
  commandFields.actionResponse,
];

/** @see DICOM PS3.8 9.3.5 and annex E */
export function createMessageFragments(
  role: AssociationRole,
  limits: Pick<NetworkLimits, "commandBytes" | "objectBytes">,
): MessageFragments {
  let expected: "command" | "data" = "command";
  let contextId: number | null = null;
  let parts: Buffer[] = [];
  let bytes = 0;
  let isWhole = true;
  let maxBytes = limits.objectBytes;
  let isMatch = false;
  let match: Buffer | null = null;

  const endCommand = () => {
    const command = readCommandSet(Buffer.concat(parts));
    if (!command || !acceptedCommands[role].includes(command.field))
      throw new GateFault("not-dicom", "an unexpected or malformed command");
    if (
      !commandsWithOptionalDataSet.includes(command.field) &&
      command.hasDataSet !== commandsWithDataSet.includes(command.field)
    )
      throw new GateFault("not-dicom", "a command with an unexpected or missing data set");
    begin(command.hasDataSet ? "data" : "command");
    const isEvent = command.field === commandFields.eventReportRequest;
    maxBytes = isEvent ? Math.min(maxEventBytes, limits.objectBytes) : limits.objectBytes;
    isWhole = !command.hasDataSet;
    isMatch = command.field === commandFields.findResponse;
    match = null;
  };
  const begin = (what: "command" | "data") => {
    expected = what;
    parts = [];
    bytes = 0;
    if (what === "command") contextId = null;
  };
  const take = (context: number, control: number, fragment: Buffer) => {
    if (isWhole) isWhole = false;
    if ((control & 1) === (expected === "command" ? 0 : 1) || context !== (contextId ??= context))
      throw new GateFault("not-dicom", "fragments of different messages are mixed");
    bytes += fragment.length;
    if (bytes > (expected === "command" ? limits.commandBytes : maxBytes))
      throw new GateFault(
        "too-large",
        `a ${expected === "command" ? "command" : "data set"} of more than ${bytes} bytes`,
      );
    if (expected === "command" || isMatch) parts.push(fragment);
    if ((control & 2) === 0) return;
    if (expected === "command") return endCommand();
    if (isMatch) match = Buffer.concat(parts);
    begin("command");
    isWhole = true;
  };
  return {
    check(pdu) {
      let offset = 6;
      while (offset < pdu.length) {
        const length = offset + 6 <= pdu.length ? pdu.readUInt32BE(offset) : 0;
        if (length < 2 || offset + 4 + length > pdu.length)
          throw new GateFault("not-dicom", "a fragment longer than its PDU");
        if (isWhole && offset > 6) throw new GateFault("not-dicom", "two messages in one PDU");
        take(pdu.readUInt8(offset + 4), pdu.readUInt8(offset + 5), pdu.subarray(offset + 6, offset + 4 + length));
        offset += 4 + length;
      }
    },
    isMessageWhole: () => isWhole,
    match: () => match,
  };
}
