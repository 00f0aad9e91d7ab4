import { Question } from "../../ui/dialogs/dialog.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";

type Props = {
  /** Date of the backup to restore; null while the dialog is closed. */
  readonly madeAt: string | null;
  readonly description: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
};

export function RestoreQuestion({ madeAt, description, onCancel, onConfirm }: Props) {
  const text = useText();
  const format = useFormat();
  return (
    <Question
      isOpen={madeAt !== null}
      title={text("settings.restoreTitle", { date: madeAt === null ? "" : format.minute(madeAt) })}
      description={description}
      confirm={text("settings.restore")}
      isDangerous
      onCancel={onCancel}
      onConfirm={onConfirm}
    />
  );
}
