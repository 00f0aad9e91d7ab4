import type { agreementContract } from "../../../core/contract/desktop/trends/agreement.ts";
import { getAgreement, listDrifts } from "../../services/worklist/trends/agreement.ts";
import { getPracticeErrors, getSameDay } from "../../services/worklist/trends/same-day.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function agreementHandlers({ context }: DesktopParts): Handlers<keyof typeof agreementContract> {
  return {
    "agreement.get": (filter) => getAgreement(context, filter),
    "agreement.drift": () => listDrifts(context),
    "agreement.sameDay": ({ measure }) => getSameDay(context.db, measure),
    "agreement.practiceErrors": () => getPracticeErrors(context.db),
  };
}
