import { useDraftOver } from "./draft-over.ts";
import { TextField } from "./field.tsx";
import { useSavedWhenLeft } from "./saved-when-left.ts";

export function SavedText({
  label,
  note,
  value,
  maxLength,
  onSave,
}: {
  readonly label: string;
  readonly note?: string;
  readonly value: string;
  readonly maxLength: number;
  readonly onSave: (value: string) => void;
}) {
  const [draft, setDraft] = useDraftOver(value);
  const whenLeft = useSavedWhenLeft(() => draft !== value && onSave(draft));
  return (
    <TextField
      label={label}
      note={note}
      value={draft}
      maxLength={maxLength}
      onChange={(event) => setDraft(event.target.value)}
      {...whenLeft}
    />
  );
}
