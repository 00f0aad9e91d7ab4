import type { Failure } from "../contract/desktop/shapes.ts";
import type { PlainKey } from "./catalogue.ts";
import { english } from "./english.ts";
import type { Say } from "./say.ts";

/**
 * Text of a failure for the user: the text of its reason, otherwise that of its code, otherwise that of an unknown
 * error. The English `message` of a failure is for logs and the API and is never shown.
 */
export function failureInWords({ code, reason }: Pick<Failure, "code" | "reason">, say: Say): string {
  if (reason && Object.hasOwn(english.faults, reason.name)) {
    const words = say(`faults.${reason.name as "fileEmpty"}`, reason.values as never);
    // The reasons of a refused pack are fragments ("{name} is missing").
    return code === "PACK_REFUSED" ? say("errors.OF_FILE", { name: say("errors.PACK_REFUSED"), fault: words }) : words;
  }
  return say(Object.hasOwn(english.errors, code) ? (`errors.${code}` as PlainKey) : "errors.UNKNOWN");
}

export function faultInWords({ name, ...failure }: Failure & { readonly name?: string | undefined }, say: Say): string {
  const fault = failureInWords(failure, say);
  return name === undefined ? fault : say("errors.OF_FILE", { name, fault });
}
