import { languageCodes, languages } from "../../core/language/languages.ts";
import { attempt } from "../state/faults.ts";
import { useProgram } from "../state/program.ts";
import { Choice } from "../ui/fields/field.tsx";
import { useText } from "../ui/language/language.ts";

/** Language and theme; both change at once. */
export function LanguageStep() {
  const text = useText();
  const { settings, save } = useProgram();
  if (!settings) return null;
  return (
    <>
      <p>{text("welcome.languageText")}</p>
      <Choice
        label={text("settings.language")}
        value={settings.language}
        onChoose={(language) => attempt(() => save({ language }))}
        options={[
          { value: "system", label: text("settings.likeSystem") },
          ...languageCodes.map((value) => ({ value, label: languages[value].name })),
        ]}
      />
      <Choice
        label={text("settings.theme")}
        value={settings.theme}
        onChoose={(theme) => attempt(() => save({ theme }))}
        options={[
          { value: "dark", label: text("settings.dark") },
          { value: "light", label: text("settings.light") },
          { value: "system", label: text("settings.likeSystem") },
        ]}
      />
    </>
  );
}
