import { AppError, because } from "../../../../core/app-error.ts";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import type { SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import type { Hl7Destination } from "../../../../core/contract/desktop/practice/hl7.ts";
import { temporaryFaultOf } from "../../../../core/system-fault.ts";
import { getSetting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { createPoller } from "../../desktop/poller.ts";
import { resultMessageOf } from "../sidecars.ts";
import { sendMllp, testMllp, type MllpTimes } from "./mllp.ts";
import {
  forget,
  hl7DestinationSetting,
  isDue,
  isRefused,
  listWaiting,
  scheduleRetry,
  queueMissedResults,
  queueResult,
  recordAccepted,
  recordUnanswered,
  findSendable,
  dropRefused,
  retryAllNow,
  saveDestination,
  adoptWaitingResults,
  type WaitingResult,
} from "./mllp-outbox.ts";

type State = DesktopResponse<"hl7.get">;

export type MllpSender = {
  start(): Promise<void>;
  note(film: Pick<Film, "id">): void;
  get(): Promise<State>;
  /** @throws AppError INVALID_FIELD */
  save(destination: Hl7Destination): Promise<State>;
  test(destination: Hl7Destination): Promise<SendFailure | null>;
  /** Sends due results; resolves after the attempts. */
  look(): Promise<void>;
  sendNow(): Promise<State>;
  discardRefused(): Promise<State>;
  close(): Promise<void>;
};

const usualTimes: MllpTimes & { readonly everyMs: number } = { connectMs: 10_000, answerMs: 30_000, everyMs: 2000 };

/** Failures after which the receiver may have the message. */
const unanswered: ReadonlySet<SendFailure["reason"]> = new Set([
  "cancelled",
  "connection-lost",
  "no-answer",
  "not-hl7",
]);

export function createMllpSender(context: DesktopContext, times = usualTimes): MllpSender {
  const { db } = context;
  const closing = new AbortController();
  let lastSentAt: string | null = null;
  let failure: SendFailure | null = null;
  /** Changed films whose results are not queued yet. */
  const toNote: string[] = [];
  let noting: Promise<unknown> = Promise.resolve();
  const destination = () => getSetting(db, hl7DestinationSetting);
  let isFaultLogged = false;
  /** Logs a temporary fault once, not every few seconds. */
  const warn = (error: unknown, message: string) => {
    const willPass = temporaryFaultOf(error) !== null;
    if (!willPass || !isFaultLogged) context.log.error({ error }, message);
    isFaultLogged ||= willPass;
  };
  const changed = () => context.raise({ name: "folders.changed", payload: {} });

  const sendOne = async (result: WaitingResult): Promise<boolean> => {
    const receiver = await destination();
    const made = await messageOf(context, result, receiver);
    if (made === null) {
      await forget(db, result);
      context.log.warn({}, "a pending result for the practice software no longer exists");
      changed();
      return true;
    }
    failure = await sendMllp(receiver, made.text, {
      controlId: result.controlId,
      signal: closing.signal,
      times,
    });
    if (failure !== null && unanswered.has(failure.reason)) await recordUnanswered(db, result);
    if (failure?.reason === "cancelled") return false;
    if (failure === null) {
      const { fingerprint } = made;
      await recordAccepted(context, result, { fingerprint, to: `${receiver.host}:${receiver.port}` });
      lastSentAt = context.now().toISOString();
    } else {
      await scheduleRetry(db, result, failure, context.now().getTime());
      // The receiver's text may contain the patient's name.
      context.log.warn({ reason: failure.reason }, "a result was not accepted by the practice software");
    }
    changed();
    // After a connection failure, further results would time out as well.
    return failure === null || failure.reason === "message-refused" || failure.reason === "message-error";
  };
  /** Queues results of changed films; after a temporary fault of the store, the film is tried again in the next run. */
  const recordAll = async (): Promise<void> => {
    for (let filmId = toNote[0]; filmId !== undefined; filmId = toNote[0]) {
      try {
        if (await queueResult(db, filmId)) changed();
      } catch (error) {
        warn(error, "a result for the practice software could not be queued");
        if (temporaryFaultOf(error) !== null) return;
      }
      toNote.shift();
    }
  };
  const recordInSequence = () => (noting = noting.then(recordAll));
  const sendPending = async (): Promise<void> => {
    await recordInSequence();
    await sendDue();
    isFaultLogged = toNote.length > 0;
  };
  const sendDue = async (): Promise<void> => {
    for (;;) {
      const nowMs = context.now().getTime();
      const next = (await adoptWaitingResults(db)).find((one) => !isRefused(one) && isDue(one, nowMs));
      if (!next || closing.signal.aborted || !(await destination()).isOn) return;
      if (!(await sendOne(next))) return;
    }
  };
  const poller = createPoller(sendPending, times.everyMs, (error) =>
    warn(error, "results could not be sent to the practice software"),
  );
  const get = async (): Promise<State> => {
    await noting;
    const waiting = await listWaiting(db);
    const lastFailure = failure ?? waiting.findLast((one) => one.failure !== null)?.failure ?? null;
    return {
      ...{ destination: await destination(), waiting: waiting.length, refused: waiting.filter(isRefused).length },
      ...{ lastSentAt, failure: waiting.length > 0 ? lastFailure : null },
    };
  };
  return {
    async start() {
      await queueMissedResults(db);
      poller.start();
    },
    note({ id }) {
      toNote.push(id);
      void recordInSequence();
    },
    get,
    async save(wanted) {
      if (wanted.isOn && wanted.host === "") throw new AppError("INVALID_FIELD", because("hl7WithoutHost"));
      await saveDestination(db, wanted, context.now().getTime());
      failure = null;
      changed();
      return get();
    },
    test: (wanted) => testMllp(wanted, times),
    look: poller.poll,
    async sendNow() {
      await poller.whenIdle();
      await retryAllNow(db);
      await poller.poll();
      return get();
    },
    async discardRefused() {
      await dropRefused(db);
      changed();
      return get();
    },
    async close() {
      closing.abort();
      await poller.close();
      await noting;
    },
  };
}

/** Builds the current message; null if the film has no result to send. */
async function messageOf(context: DesktopContext, result: WaitingResult, receiver: Hl7Destination) {
  // Read first, so that a change during the build is sent as well.
  const fingerprint = await findSendable(context.db, result.filmId, receiver);
  if (fingerprint === null) return null;
  try {
    return { fingerprint, text: await resultMessageOf(context, result, receiver) };
  } catch (error) {
    if (error instanceof AppError && (error.code === "NOT_FOUND" || error.code === "CONFLICT")) return null;
    throw error;
  }
}
