import type { FeatureKey } from "../../../core/usg/features.ts";
import { useFormat } from "../../ui/language/format.ts";
import { takenOf, writtenIn } from "./units.ts";
import { useUnitText } from "./use-unit-text.ts";
import { useUsg } from "../usg-slice.ts";

export function useTypedValue(): (key: FeatureKey, value: number) => string {
  const format = useFormat();
  const unitText = useUnitText();
  const entries = useUsg((state) => state.entries);
  return (key, value) => {
    const isReadAsOther = (takenOf(key, entries[key])?.explanation ?? null) !== null;
    const unit = isReadAsOther ? 1 : (entries[key].unit ?? 0);
    return `${format.plain(Number(writtenIn(key, value, unit).text))} ${unitText(key, unit)}`;
  };
}
