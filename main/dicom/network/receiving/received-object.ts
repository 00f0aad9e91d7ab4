import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { Writable } from "node:stream";
import { AppError } from "../../../../core/app-error.ts";
import { readDicomFile, type DicomFile } from "../../dicom-file.ts";
import { assertShowable } from "../../pixels/frame-words.ts";
import { sopClasses } from "../../results/uids.ts";
import { part10Header, type Part10Header } from "../../writing/part-10.ts";
import { finishedName, unfinishedFile } from "./unfinished-object.ts";

/** Statuses of C-STORE responses. @see DICOM PS3.4 table B.2-1 */
export const storeStatus = {
  success: 0x0000,
  outOfResources: 0xa700,
  doesNotMatchClass: 0xa900,
  cannotUnderstand: 0xc000,
  /** Stored, but cannot be shown; sent as the warning "data set does not match SOP class". */
  keptNotShown: 0xb007,
} as const;

export const receivedFileEnding = ".dcm";

/**
 * Writes a received object to the disk byte for byte. Writes are synchronous, since this thread has no other work: the
 * sender is slowed to the speed of the disk, and fragments stay in order.
 */
export class ReceivedObject extends Writable {
  readonly #header: Part10Header | null;
  readonly #unfinished: string;
  #file: number | null = null;
  #isWritten = true;

  /** @param header  header with the announced UIDs; null if the data includes a header */
  constructor(folder: string, header: Part10Header | null) {
    // Never report a full buffer: the library reads further PDUs while it awaits "drain", which would reorder them.
    super({ highWaterMark: Number.MAX_SAFE_INTEGER });
    this.#header = header;
    this.#unfinished = unfinishedFile(folder);
    this.#attempt(() => {
      this.#file = openSync(this.#unfinished, "wx", 0o600);
      if (header) writeSync(this.#file, part10Header(header));
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#attempt(() => {
      for (let offset = 0; this.#file !== null && offset < chunk.length;)
        offset += writeSync(this.#file, chunk, offset);
    });
    done();
  }

  /** Moves the complete object into the folder, safe against a crash or a power cut; no name if it is not kept. */
  keep(): { readonly status: number; readonly fileName: string | null } {
    const status = this.#isWritten ? this.#statusOfObject() : storeStatus.outOfResources;
    if (status !== storeStatus.success && status !== storeStatus.keptNotShown) {
      this.discard();
      return { status, fileName: null };
    }
    const whole = finishedName(this.#unfinished, receivedFileEnding);
    this.#attempt(() => {
      if (this.#file !== null) fsyncSync(this.#file);
      this.#close();
      renameSync(this.#unfinished, whole);
      syncFolder(path.dirname(whole));
    });
    if (this.#isWritten) return { status, fileName: path.basename(whole) };
    rmSync(whole, { force: true });
    this.discard();
    return { status: storeStatus.outOfResources, fileName: null };
  }

  discard(): void {
    this.#close();
    rmSync(this.#unfinished, { force: true });
  }

  /** An error if the object is unreadable or other than announced, a warning if its picture cannot be shown. */
  #statusOfObject(): number {
    try {
      const file = readDicomFile(readFileSync(this.#unfinished));
      const { sopClassUid = null, sopInstanceUid = null } = this.#header ?? {};
      const isSame = file.text("00080016") === sopClassUid && file.text("00080018") === sopInstanceUid;
      if (this.#header && !isSame) return storeStatus.doesNotMatchClass;
      return isShowable(file) ? storeStatus.success : storeStatus.keptNotShown;
    } catch (error) {
      if (error instanceof AppError) return storeStatus.cannotUnderstand;
      throw error;
    }
  }

  #attempt(work: () => void): void {
    if (!this.#isWritten) return;
    try {
      work();
    } catch {
      // A full disk or a missing folder: reported as "out of resources" after the last fragment.
      this.#isWritten = false;
    }
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

const withoutPicture: readonly (string | null)[] = [
  sopClasses.comprehensiveReport,
  sopClasses.presentationState,
  sopClasses.keyObjects,
];

function isShowable(file: DicomFile): boolean {
  try {
    if (!withoutPicture.includes(file.text("00080016"))) assertShowable(file);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Makes a new file name durable. Windows does so by itself and has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}
