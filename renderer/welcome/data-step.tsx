import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useAsked } from "../state/use-asked.ts";
import { useText } from "../ui/language/language.ts";
import { SavedText } from "../ui/fields/saved-text.tsx";

/** Where the clinic's data lie, and a second place for their copies. */
export function DataStep() {
  const text = useText();
  const about = useAsked("app.about", {});
  const { value: plan, reload } = useAsked("backups.plan", {});
  const savePlan = (folder: string) =>
    attempt(async () => {
      if (plan) await call("backups.savePlan", { ...plan, folder: folder.trim() === "" ? null : folder.trim() });
      reload();
    });
  return (
    <>
      <p>{text("welcome.dataText")}</p>
      <output className="data welcome-folder">{about.value?.dataDir}</output>
      {plan && (
        <SavedText
          label={text("settings.outsideFolder")}
          note={text("settings.outsideNote")}
          value={plan.folder ?? ""}
          maxLength={4096}
          onSave={savePlan}
        />
      )}
    </>
  );
}
