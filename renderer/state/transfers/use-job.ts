import { useState } from "react";
import { call, ProgramError } from "../connection.ts";
import { attempt } from "../faults.ts";

/** Runs one cancellable job of the program at a time; `jobId` is null while none runs. Cancelling shows no fault. */
export function useJob() {
  const [jobId, setJobId] = useState<string | null>(null);
  const run = (work: (jobId: string) => Promise<void>) =>
    attempt(async () => {
      const id = crypto.randomUUID();
      setJobId(id);
      try {
        await work(id);
      } catch (error) {
        if (!(error instanceof ProgramError && error.code === "ABORTED")) throw error;
      } finally {
        setJobId((now) => (now === id ? null : now));
      }
    });
  const cancel = () => {
    if (jobId !== null) attempt(() => call("jobs.cancel", { jobId }));
  };
  return { jobId, run, cancel };
}
