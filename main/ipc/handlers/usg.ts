import type { usgContract } from "../../../core/contract/desktop/usg.ts";
import {
  describeModel,
  predictInWindow,
  listScreenings,
  screenInWindow,
} from "../../services/program/usg-screenings.ts";
import { summariseUsgPredictions } from "../../store/calls/usg-predictions.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function usgHandlers({
  context,
  options: { usg: screening },
}: DesktopParts): Handlers<keyof typeof usgContract> {
  return {
    "usg.screen": (request) => screenInWindow(context, screening, request),
    "usg.whatIf": (request) => predictInWindow(screening, request),
    "usg.history": (query) => listScreenings(context, query),
    "usg.model": () => describeModel(screening),
    "usg.report": async () => ({ rows: [...(await summariseUsgPredictions(context.db))] }),
  };
}
