import { networkInterfaces } from "node:os";
import type { DicomReceiver, DicomState, ReceiverFault } from "../../../core/contract/desktop/network/dicom.ts";
import { networkLimits } from "../../dicom/network/network-limits.ts";
import type { AssociationReport, ReceiverOptions } from "../../dicom/network/receiving/receiver-calls.ts";
import type { CertifiedKey } from "../../certificates/certified-key.ts";
import { startReceiver, type Receiver } from "../../dicom/network/receiving/receiver.ts";
import { getSetting } from "../../store/settings.ts";
import { createCommitments } from "./commitments.ts";
import { createAssociationLog } from "./association-log.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { receiverSetting, saveReceiver, type ReceiverChange } from "./dicom-settings.ts";
import { ownCertifiedKey } from "./own-certificate.ts";
import { receivedDir } from "../../store/files/store-files.ts";
import { createReceivedObjects } from "./received-objects.ts";

/** Pauses before a failed receiver restarts [ms]; each is twice the previous one. */
const usualPauses = { firstMs: 5000, longestMs: 5 * 60_000 } as const;

export type DicomReceive = ReturnType<typeof createDicomReceive>;

/** @param onFault  receives the fault that prevents listening; null if the receiver listens or is off */
export function createDicomReceive(
  context: DesktopContext,
  onFault: (fault: ReceiverFault | null) => void,
  pauses: { readonly firstMs: number; readonly longestMs: number } = usualPauses,
) {
  const commitments = createCommitments(
    context,
    () => now.state === "listening",
    (fileName) => received.import(fileName),
  );
  const received = createReceivedObjects(context, commitments.processReport);
  const importObject = (fileName: string) => void received.import(fileName);
  const log = createAssociationLog();
  let now: Pick<DicomState, "state" | "fault"> = { state: "off", fault: null };
  let receiver: Receiver | null = null;
  let isRefusing = false;
  let nextTry: NodeJS.Timeout | undefined;
  let pauseMs = pauses.firstMs;
  let changing = Promise.resolve();
  let waitingChanges = 0;
  let isClosed = false;

  const settings = () => getSetting(context.db, receiverSetting);
  const enter = (next: typeof now) => {
    now = next;
    if (next.state !== "starting") onFault(next.fault);
    context.raise({ name: "dicom.changed", payload: {} });
  };
  /** Retries after every fault, since it may be temporary: port in use, store unavailable. */
  const fail = (fault: ReceiverFault) => {
    enter({ state: "failed", fault });
    clearTimeout(nextTry);
    // `false` leaves the fault on display until the receiver listens.
    if (!isClosed) nextTry = setTimeout(() => applyOrLog(false), pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, pauses.longestMs);
  };
  const note = (report: AssociationReport) => {
    if (report.fault !== null)
      context.log.warn(
        { address: report.address, callingAeTitle: report.callingAeTitle, fault: report.fault },
        "a DICOM association was rejected or aborted",
      );
    log.add(report, context.now());
    context.raise({ name: "dicom.changed", payload: {} });
  };
  const close = async () => {
    clearTimeout(nextTry);
    await receiver?.close();
    receiver = null;
  };
  const open = async (wanted: DicomReceiver) => {
    const own = wanted.security === "tls" ? await ownCertifiedKey(context) : null;
    if (wanted.security === "tls" && own === null) return fail("no-certificate");
    await new Promise<void>((resolve) => {
      receiver = startReceiver(
        { ...optionsOf(wanted, own, context.dataDir), isRefusing },
        {
          received: importObject,
          association: note,
          listening: (port) => {
            context.log.info({ port }, "DICOM objects are received");
            pauseMs = pauses.firstMs;
            // If another change is pending, the receiver does not match the settings yet.
            if (waitingChanges === 0) enter({ state: "listening", fault: null });
            resolve();
          },
          failed: (fault) => {
            context.log.error({ fault }, "DICOM objects are not received");
            fail(fault);
            resolve();
          },
        },
      );
    });
  };
  const applySettings = (isOn: boolean): Promise<void> => {
    waitingChanges += 1;
    if (isOn) enter({ state: "starting", fault: null });
    const change = changing.then(async () => {
      waitingChanges -= 1;
      if (isClosed) return;
      await close();
      try {
        const wanted = await settings();
        if (wanted.isOn) await open(wanted);
        else enter({ state: "off", fault: null });
      } catch (error) {
        fail("stopped");
        throw error;
      }
    });
    // A failed change must not block the next one.
    changing = change.catch(() => undefined);
    return change;
  };
  const applyOrLog = (showsStarting: boolean): void => {
    applySettings(showsStarting).catch((error: unknown) =>
      context.log.error({ error }, "DICOM objects are not received"),
    );
  };
  const get = async (): Promise<DicomState> => {
    const wanted = await settings();
    return {
      receiver: wanted,
      ...now,
      // A change is saved before the receiver starts.
      state: wanted.isOn && now.state === "off" ? "starting" : now.state,
      ownAddresses: ownAddresses(),
      refusedAssociations: log.refused(),
    };
  };
  return {
    /** Imports objects left over and starts listening if enabled. */
    async start() {
      changing = changing.then(() => received.importLeftovers());
      if ((await settings()).isOn) applyOrLog(true);
    },
    get,
    /** Returns once listening has started or failed; `starting` if another change followed. */
    async configure(changes: ReceiverChange) {
      await applySettings((await saveReceiver(context.db, changes)).isOn);
      return get();
    },
    /** Applies a changed certificate. */
    async restart() {
      await applySettings((await settings()).isOn);
      return get();
    },
    /** Refuses objects as "out of resources" while the practice's database is away, so that the sender retries. */
    refuseObjects(next: boolean) {
      isRefusing = next;
      receiver?.refuseObjects(next);
    },
    log: log.entries,
    setAside: received.setAside,
    commitments,
    importObject,
    async close() {
      isClosed = true;
      await changing;
      await commitments.close();
      await close();
      await received.close();
    },
  };
}

/** On the loopback address an empty list of AE titles admits all; on the network only configured peers are admitted. */
function optionsOf(
  { port, aeTitle, bind, allowedAeTitles, allowedAddresses, trustedClients }: DicomReceiver,
  own: CertifiedKey | null,
  dataDir: string,
): Omit<ReceiverOptions, "isRefusing"> {
  const isOpen = bind === "practice-network";
  return {
    addresses: isOpen ? ["0.0.0.0", "::"] : ["127.0.0.1", "::1"],
    encryption: own && { own, trusted: trustedClients },
    port,
    aeTitle,
    allowedAeTitles: isOpen || allowedAeTitles.length > 0 ? allowedAeTitles : null,
    allowedAddresses: isOpen ? allowedAddresses : null,
    folder: receivedDir(dataDir),
    limits: networkLimits,
  };
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses
      // Link-local addresses are useless in another computer's settings.
      .filter(({ address, internal }) => !internal && !address.startsWith("fe80:"))
      .map(({ address }) => address),
  );
}
