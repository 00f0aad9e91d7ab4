import type { updatesContract } from "../../../core/contract/desktop/updates.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function updateHandlers({ updates }: DesktopParts): Handlers<keyof typeof updatesContract> {
  return {
    "updates.get": () => updates.get(),
    "updates.configure": (change) => updates.configure(change),
    "updates.check": () => updates.check(true),
    "updates.openFile": () => updates.openFile(),
    "updates.later": () => updates.later(),
    "updates.install": ({ isUnsaved }) => updates.install(isUnsaved),
  };
}
