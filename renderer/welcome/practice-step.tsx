import { attempt } from "../state/faults.ts";
import { useProgram } from "../state/program.ts";
import { useText } from "../ui/language/language.ts";
import { SavedText } from "../ui/fields/saved-text.tsx";

/** Heading of a handout. */
export function PracticeStep() {
  const text = useText();
  const { settings, save } = useProgram();
  if (!settings) return null;
  return (
    <>
      <p>{text("welcome.practiceText")}</p>
      <SavedText
        label={text("settings.clinicName")}
        value={settings.clinicName}
        maxLength={200}
        onSave={(clinicName) => attempt(() => save({ clinicName }))}
      />
    </>
  );
}
