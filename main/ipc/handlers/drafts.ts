import { AppError } from "../../../core/app-error.ts";
import type { DraftState } from "../../../core/contract/desktop/practice/drafts.ts";
import type { draftsContract } from "../../../core/contract/desktop/practice/drafts.ts";
import type { Drafts } from "../../services/worklist/drafts/drafts.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function draftHandlers({ drafts }: DesktopParts): Handlers<keyof typeof draftsContract> {
  const act = async (step: (drafts: Drafts) => Promise<DraftState>) => {
    if (drafts === null) throw new AppError("NOT_FOUND");
    return { state: await step(drafts) };
  };
  return {
    "drafts.get": async () => ({ state: drafts && (await drafts.state()) }),
    "drafts.begin": () => act((here) => here.begin()),
    "drafts.handOver": () => act((here) => here.handOver()),
  };
}
