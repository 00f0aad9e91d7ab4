import { useRef } from "react";
import { attempt } from "./faults.ts";

/** Runs one action at a time and shows its failure. A double press acts once: calls while an action runs do nothing. */
export function useOnce(): (work: () => Promise<unknown>) => void {
  const isRunning = useRef(false);
  return (work) =>
    attempt(async () => {
      if (isRunning.current) return;
      isRunning.current = true;
      try {
        await work();
      } finally {
        isRunning.current = false;
      }
    });
}
