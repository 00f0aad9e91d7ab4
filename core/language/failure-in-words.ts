import type { Failure } from "../contract/desktop/shapes.ts";
import type { PlainKey } from "./catalogue.ts";
import { english } from "./english.ts";
import type { Say } from "./say.ts";

/**
 * A failure as people read it: what exactly is wrong, or else what its code means. A code that this version does not
 * know is something unexpected; the English message that travels with a failure is never shown.
 */
export function failureInWords({ code, reason }: Pick<Failure, "code" | "reason">, say: Say): string {
  if (reason && Object.hasOwn(english.faults, reason.name)) {
    const words = say(`faults.${reason.name as "fileEmpty"}`, reason.values as never);
    // What is wrong with a pack says little without the word that it was refused.
    return code === "PACK_REFUSED" ? say("errors.OF_FILE", { name: say("errors.PACK_REFUSED"), fault: words }) : words;
  }
  return say(Object.hasOwn(english.errors, code) ? (`errors.${code}` as PlainKey) : "errors.UNKNOWN");
}

/** Text of a background failure, with the file concerned. */
export function faultInWords({ name, ...failure }: Failure & { readonly name?: string | undefined }, say: Say): string {
  const fault = failureInWords(failure, say);
  return name === undefined ? fault : say("errors.OF_FILE", { name, fault });
}
