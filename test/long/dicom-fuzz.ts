import { AppError } from "../../core/app-error.ts";
import { createDicomReader, type DicomReader } from "../../main/dicom/dicom-reader.ts";
import { patienceMs } from "../fixtures/patience.ts";

export type DicomFuzzReport = {
  readonly mutations: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Threads that hung, crashed or ran out of memory, by reason. */
  readonly lostThreads: Readonly<Record<string, number>>;
  /** Highest resident memory of this process with all its threads [MB]. */
  readonly peakMegabytes: number;
  /** Outcomes other than a frame or an expected error. */
  readonly failures: readonly { readonly number: number; readonly why: string; readonly bytes: string }[];
};

const mostFailures = 20;

/** Explicit little endian, without preamble: Modality (0008,0060) is DX. */
const smallestFile = Buffer.from("\x08\x00\x60\x00CS\x02\x00DX", "latin1");

const threads = 2;

export async function runDicomFuzz(next: () => Uint8Array, mutations: number): Promise<DicomFuzzReport> {
  // On a busy machine a sound film may take longer than the program's limit of four seconds.
  const reader = createDicomReader({ threads, deadlineMs: patienceMs });
  const startThreads = () => Promise.all(Array.from({ length: threads }, () => reader.contents(smallestFile)));
  await startThreads();
  const outcomes: Record<string, number> = {};
  const lostThreads: Record<string, number> = {};
  const failures: { number: number; why: string; bytes: string }[] = [];
  let started = 0;
  let peakBytes = 0;
  const lane = async () => {
    while (started < mutations && failures.length < mostFailures) {
      const number = started++;
      const bytes = next();
      const outcome = await outcomeOf(reader, bytes);
      outcomes[outcome.code] = (outcomes[outcome.code] ?? 0) + 1;
      if (outcome.lost) lostThreads[outcome.lost] = (lostThreads[outcome.lost] ?? 0) + 1;
      if (outcome.lost) await startThreads();
      if (outcome.why) failures.push({ number, why: outcome.why, bytes: Buffer.from(bytes).toString("base64") });
      if (number % 200 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    }
  };
  await Promise.all(Array.from({ length: threads }, lane));
  await reader.close();
  return {
    mutations: started,
    outcomes,
    lostThreads,
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
