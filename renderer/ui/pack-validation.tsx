import type { Health } from "../../core/contract/desktop/program.ts";
import { useText } from "./language/language.ts";

/** Publisher responsible for a validated pack, or a warning that the pack is not validated. */
export function PackValidation({ release }: Pick<Health, "release">) {
  const text = useText();
  if (!release) return <span className="tier review">{text("common.notValidated")}</span>;
  return <span>{text("settings.packReleased", { person: release.releasedBy, publisher: release.publisher })}</span>;
}
