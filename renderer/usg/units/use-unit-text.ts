import type { FeatureKey } from "../../../core/usg/features.ts";
import { useText } from "../../ui/language/language.ts";
import { unitsOf } from "./units.ts";

export function useUnitText(): (key: FeatureKey, unit?: 0 | 1) => string {
  const text = useText();
  return (key, unit = 0) => {
    const { name } = unitsOf[key][unit];
    return name === "months" || name === "years" ? text(`usg.${name}`) : name;
  };
}
