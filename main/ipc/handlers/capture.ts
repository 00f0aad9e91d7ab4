import type { captureContract } from "../../../core/contract/desktop/capture.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function captureHandlers({ captures }: DesktopParts): Handlers<keyof typeof captureContract> {
  return {
    "capture.start": ({ patientId }) => captures.start(patientId),
    "capture.cancel": ({ sessionId }) => {
      captures.cancel(sessionId);
      return { sessionId };
    },
  };
}
