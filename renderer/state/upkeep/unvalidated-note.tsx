import { useProgram } from "../program.ts";
import { useText } from "../../ui/language/language.ts";

/** Note that the results of a page are not validated: always printed, shown unless the status bar states the same. */
export function UnvalidatedNote() {
  const text = useText();
  const isStatedInBar = useProgram((state) => state.health?.release === null);
  return <p className={`tier review fine${isStatedInBar ? " print-only" : ""}`}>{text("common.notValidated")}</p>;
}
