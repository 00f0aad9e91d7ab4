import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useAsked } from "../state/use-asked.ts";
import { useText } from "../ui/language/language.ts";
import { SavedText } from "../ui/fields/saved-text.tsx";

/** Where the clinic's data lie, and who makes copies of them. */
export function DataStep() {
  const text = useText();
  const { value } = useAsked("app.about", {});
  if (!value) return null;
  const { database, dataDir } = value;
  return database === null ? <DataInFile dataDir={dataDir} /> : <p>{text("database.backups", { place: database })}</p>;
}

/** The folder, and a second place for the copies that the program makes of it. */
function DataInFile({ dataDir }: { readonly dataDir: string }) {
  const text = useText();
  const { value: plan, reload } = useAsked("backups.plan", {});
  const savePlan = (folder: string) =>
    attempt(async () => {
      if (plan) await call("backups.savePlan", { ...plan, folder: folder.trim() === "" ? null : folder.trim() });
      reload();
    });
  return (
    <>
      <p>{text("welcome.dataText")}</p>
      <output className="data welcome-folder">{dataDir}</output>
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
