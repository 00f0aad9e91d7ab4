import type { Health } from "../../core/contract/desktop/program.ts";
import { useText } from "./language/language.ts";

/** Publisher responsible for a validated pack, or a warning that the pack is not validated. */
export function PackValidation({ isClinicallyValidated, release }: Pick<Health, "isClinicallyValidated" | "release">) {
  const text = useText();
  if (!isClinicallyValidated) return <span className="tier review">{text("common.notValidated")}</span>;
  if (!release) return null;
  return <span>{text("settings.packReleased", { person: release.releasedBy, publisher: release.publisher })}</span>;
}
