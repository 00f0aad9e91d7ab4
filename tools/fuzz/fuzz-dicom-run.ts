import { AppError } from "../../core/app-error.ts";
import { createDicomReader, type DicomReader } from "../../main/dicom/dicom-reader.ts";

/** What a run showed. */
export type DicomFuzzReport = {
  readonly mutations: number;
  /** How many were shown all the same, and how many were refused with which code. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Readers that hung, crashed or ran out of memory; each took down its thread alone. */
  readonly lostThreads: Readonly<Record<string, number>>;
  /** The longest that one file took a thread that had started, with its wait for a processor [ms]. */
  readonly slowestMs: number;
  /** Highest resident memory of this process with all its threads [MB]. */
  readonly peakMegabytes: number;
  /** Faults of the program itself: anything but a frame or an expected failure. */
  readonly failures: readonly { readonly number: number; readonly why: string; readonly bytes: string }[];
};

export type DicomFuzzOptions = { readonly threads?: number; readonly onProgress?: (done: number) => void };

const mostFailures = 20;

/** Explicit little endian, without preamble: Modality (0008,0060) is DX. */
const smallestFile = Buffer.from("\x08\x00\x60\x00CS\x02\x00DX", "latin1");

/** Sends damaged films through parsing and decoding in threads, as the program does with films from anywhere. */
export async function runDicomFuzz(
  next: () => Uint8Array,
  mutations: number,
  { threads = 2, onProgress }: DicomFuzzOptions = {},
): Promise<DicomFuzzReport> {
  const reader = createDicomReader({ threads });
  const startThreads = () => Promise.all(Array.from({ length: threads }, () => reader.contents(smallestFile)));
  await startThreads();
  const outcomes: Record<string, number> = {};
  const lostThreads: Record<string, number> = {};
  const failures: { number: number; why: string; bytes: string }[] = [];
  let started = 0;
  let slowestMs = 0;
  let peakBytes = 0;
  const lane = async () => {
    while (started < mutations && failures.length < mostFailures) {
      const number = started++;
      const bytes = next();
      const startMs = performance.now();
      const outcome = await outcomeOf(reader, bytes);
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
      outcomes[outcome.code] = (outcomes[outcome.code] ?? 0) + 1;
      if (outcome.lost) lostThreads[outcome.lost] = (lostThreads[outcome.lost] ?? 0) + 1;
      if (outcome.lost) await startThreads();
      if (outcome.why) failures.push({ number, why: outcome.why, bytes: Buffer.from(bytes).toString("base64") });
      if (number % 200 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      if (number % 10_000 === 9999) onProgress?.(number + 1);
    }
  };
  await Promise.all(Array.from({ length: threads }, lane));
  await reader.close();
  return {
    mutations: started,
    outcomes,
    lostThreads,
    slowestMs: Math.round(slowestMs),
    peakMegabytes: Math.round(peakBytes / 1e6),
    failures,
  };
}

type Outcome = { readonly code: string; readonly lost?: string; readonly why?: string };

async function outcomeOf(reader: DicomReader, bytes: Uint8Array): Promise<Outcome> {
  try {
    await reader.contents(bytes);
    await reader.source(bytes);
    const { widthPx, heightPx, samples } = await reader.frame(bytes, 0);
    return samples.length === widthPx * heightPx
      ? { code: "shown" }
      : { code: "fault", why: "a picture with too few samples" };
  } catch (error) {
    if (!(error instanceof AppError)) return { code: "fault", why: String(error) };
    const lost = /cannot be read: its (.*)$/.exec(error.message)?.[1];
    return { code: error.code, ...(lost && { lost }) };
  }
}
