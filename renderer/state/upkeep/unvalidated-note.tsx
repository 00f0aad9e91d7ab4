import { useProgram } from "../program.ts";
import { useText } from "../../ui/language/language.ts";

/**
 * Lack of validation of what a page computes. Printed, and visible only while the status bar does not already state it
 * for the active pack.
 */
export function UnvalidatedNote() {
  const text = useText();
  const isStatedInBar = useProgram((state) => state.health?.isClinicallyValidated === false);
  return <p className={`tier review fine${isStatedInBar ? " print-only" : ""}`}>{text("common.notValidated")}</p>;
}
