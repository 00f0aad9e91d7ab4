import { AppError } from "../app-error.ts";
import { parseHl7, valueOf } from "./hl7-message.ts";

export type Acknowledgement = { readonly outcome: "taken" | "error" | "refused"; readonly said: string };

const outcomes: Readonly<Record<string, Acknowledgement["outcome"]>> = {
  AA: "taken",
  CA: "taken",
  AE: "error",
  CE: "error",
  AR: "refused",
  CR: "refused",
};

/** Returns null for other texts and for acknowledgements of other messages. @see HL7 v2.5.1 2.9.2 and table 0008 */
export function acknowledgementOf(text: string, controlId: string): Acknowledgement | null {
  try {
    const [message] = parseHl7(text);
    if (!message || valueOf(message, "MSA", 2) !== controlId) return null;
    const code = valueOf(message, "MSA", 1);
    const outcome = outcomes[code];
    if (!outcome) return null;
    const why = valueOf(message, "MSA", 3) || valueOf(message, "ERR", 8) || valueOf(message, "ERR", 3, 2);
    return {
      outcome,
      said: [code, why]
        .filter((part) => part !== "")
        .join(": ")
        .slice(0, 200),
    };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
