import { useText } from "../ui/language/language.ts";
import { numberOf } from "../ui/language/typed-number.ts";
import { SavedText } from "./saved-text.tsx";

/** Field for a whole number from 1 to `most`, saved when the focus leaves it so that partial input is not saved. */
export function WholeNumber({
  name,
  label,
  value,
  most,
  onSave,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onSave: (value: number) => Promise<unknown>;
}) {
  const text = useText();
  const faultOf = (typed: string) => {
    const number = numberOf(typed) ?? 0;
    return Number.isInteger(number) && number >= 1 && number <= most ? null : text("common.wholeNumber", { most });
  };
  return (
    <SavedText
      name={name}
      label={label}
      value={String(value)}
      faultOf={faultOf}
      inputMode="numeric"
      onSave={(typed) => onSave(numberOf(typed) ?? value)}
    />
  );
}
