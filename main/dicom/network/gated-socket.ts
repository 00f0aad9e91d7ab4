import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { SendFailure } from "../../../core/contract/desktop/network/dicom.ts";
import { GateFault, type AssociationRole } from "./message-fragments.ts";
import type { NetworkLimits } from "./network-limits.ts";
import { isTlsRefusal } from "./sending/refusals.ts";
import { createPduGate, pduTypes, type PduGate } from "./pdu-gate.ts";

const watchEveryMs = 200;

const reasons = { "not-dicom": "connection-lost", "too-large": "too-large", "too-slow": "no-answer" } as const;

/** Ends a connection once everything is written, and destroys it if the peer stops reading. */
export function endSoon(socket: Socket, lastBytesMs: number): void {
  if (socket.destroyed) return;
  socket.destroySoon();
  const cut = setTimeout(() => socket.destroy(), lastBytesMs).unref();
  socket.once("close", () => clearTimeout(cut));
}

/** Passes a socket's input through a PDU gate. A violation or a timeout ends the connection with an A-ABORT. */
export class GatedSocket extends Duplex {
  fault: GateFault | null = null;
  /** OpenSSL's code if TLS ended the connection. */
  tlsFault: string | null = null;
  /** Bytes that the system has accepted for sending. */
  writtenBytes = 0;
  readonly #socket: Socket;
  readonly #gate: PduGate;
  readonly #limits: NetworkLimits;
  readonly #watch: NodeJS.Timeout;
  #phase: ReturnType<PduGate["phase"]> = "connected";
  #phaseSinceMs = performance.now();
  #messageSinceMs = performance.now();
  #lastActMs = performance.now();

  constructor(socket: Socket, role: AssociationRole, limits: NetworkLimits) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#gate = createPduGate(role, limits);
    this.#limits = limits;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (isTlsRefusal(error.code ?? "")) this.tlsFault = error.code ?? "";
      this.destroy(error);
    });
    socket.on("close", () => this.destroy());
    this.#watch = setInterval(() => this.#checkTimeouts(), watchEveryMs);
  }

  /** Ignores the library's timeout, which would leave the socket open; `NetworkLimits` apply instead. */
  setTimeout(): this {
    return this;
  }

  /** Whether the peer has not requested an association yet. */
  isSilent(): boolean {
    return this.#phase === "connected";
  }

  failure(): SendFailure {
    if (this.tlsFault !== null) return { reason: "tls-refused", detail: this.tlsFault };
    return { reason: this.fault ? reasons[this.fault.fault] : "connection-lost", detail: this.fault?.message ?? "" };
  }

  /** Continues after the library has processed a message that needs no response. */
  continueReading(): void {
    this.#gate.answered();
    setImmediate(() => this.#pass());
  }

  match(): Buffer | null {
    return this.#gate.match();
  }

  finish(): void {
    endSoon(this.#socket, this.#limits.lastBytesMs);
  }

  refuse(fault: GateFault): void {
    if (this.destroyed) return;
    this.fault = fault;
    // A-ABORT by the service provider, unexpected PDU. @see DICOM PS3.8 9.3.8
    this.#socket.write(Buffer.from([pduTypes.abort, 0, 0, 0, 0, 4, 0, 0, 2, 2]));
    this.destroy();
  }

  override _read(): void {
    // No-op: PDUs are pushed as they arrive; the library reads them at once.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, (error) => {
      this.#lastActMs = performance.now();
      this.writtenBytes += chunk.length;
      done(error);
    });
    this.continueReading();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#watch);
    endSoon(this.#socket, this.#limits.lastBytesMs);
    done(error);
  }

  #receive(chunk: Buffer): void {
    this.#gate.push(chunk);
    this.#pass();
  }

  #pass(): void {
    if (this.destroyed) return;
    try {
      for (let pdu = this.#gate.take(); pdu !== null; pdu = this.#gate.take()) {
        this.#lastActMs = this.#phaseSinceMs = performance.now();
        this.push(pdu);
      }
    } catch (error) {
      if (!(error instanceof GateFault)) throw error;
      return this.refuse(error);
    }
    this.#enter(this.#gate.phase());
  }

  #enter(phase: ReturnType<PduGate["phase"]>): void {
    if (phase === this.#phase) return;
    const nowMs = performance.now();
    if (!isInMessage(this.#phase)) this.#messageSinceMs = nowMs;
    this.#phaseSinceMs = nowMs;
    this.#phase = phase;
    if (phase === "answering") this.#socket.pause();
    else this.#socket.resume();
  }

  #checkTimeouts(): void {
    const nowMs = performance.now();
    const { associationMs, pduMs, messageMs, idleMs } = this.#limits;
    const lasting = { connected: associationMs, idle: Infinity, pdu: pduMs, message: messageMs, answering: messageMs }[
      this.#phase
    ];
    const isIdle = this.#phase !== "answering" && nowMs - this.#lastActMs > idleMs;
    const isLong = isInMessage(this.#phase) && nowMs - this.#messageSinceMs > messageMs;
    if (isIdle || isLong || nowMs - this.#phaseSinceMs > lasting)
      this.refuse(new GateFault("too-slow", `timed out (${this.#phase})`));
  }
}

function isInMessage(phase: ReturnType<PduGate["phase"]>): boolean {
  return phase === "pdu" || phase === "message";
}
