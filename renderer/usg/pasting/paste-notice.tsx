import type { FeatureKey } from "../../../core/usg/features.ts";
import { Notice } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";
import type { Pasted } from "../usg-slice.ts";

/**
 * Notice of values missing from a pasted text, with the reason if known, and the patient whose values remain in those
 * fields.
 */
export function PasteNotice({ missing, limits, left }: Pasted) {
  const text = useText();
  const names = (keys: readonly FeatureKey[]) => keys.map((key) => text(`usg.feature_${key}`)).join(" · ");
  return (
    <div role="status">
      <Notice tone="review">
        <p>{text("usg.pasteMissing", { names: names(missing) })}</p>
        {limits.length > 0 && <p>{text("usg.pasteLimits", { names: names(limits) })}</p>}
        {left.length > 0 && <p>{text("usg.pasteLeft", { names: names(left) })}</p>}
      </Notice>
    </div>
  );
}
