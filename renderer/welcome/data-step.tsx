import type { BackupPlan } from "../../core/contract/desktop/practice/backups.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useChannel } from "../state/queries.ts";
import { Loaded } from "../ui/empty.tsx";
import { useText } from "../ui/language/language.ts";
import { SavedText } from "../ui/fields/saved-text.tsx";

/** Location of the clinic's data, and their backups. */
export function DataStep() {
  const text = useText();
  const query = useChannel("app.about", {});
  return (
    <Loaded query={query}>
      {({ database, dataDir }) =>
        database === null ? <DataInFile dataDir={dataDir} /> : <p>{text("database.backups", { place: database })}</p>
      }
    </Loaded>
  );
}

/** The folder, and a second place for the copies that the program makes of it. */
function DataInFile({ dataDir }: { readonly dataDir: string }) {
  const text = useText();
  const query = useChannel("backups.plan", {});
  const savePlan = (plan: BackupPlan, folder: string) =>
    attempt(async () => {
      await call("backups.savePlan", { ...plan, folder: folder.trim() === "" ? null : folder.trim() });
      query.reload();
    });
  return (
    <>
      <p>{text("welcome.dataText")}</p>
      <output className="data welcome-folder">{dataDir}</output>
      <Loaded query={query}>
        {(plan) => (
          <SavedText
            label={text("settings.outsideFolder")}
            note={text("settings.outsideNote")}
            value={plan.folder ?? ""}
            maxLength={4096}
            onSave={(folder) => savePlan(plan, folder)}
          />
        )}
      </Loaded>
    </>
  );
}
