import { attempt } from "../state/faults.ts";
import { useNavigation } from "../state/navigation.ts";
import { usePermission } from "../state/people.ts";
import { showSettings, type SettingsTab } from "../state/places/settings-tab.ts";
import { useProgram } from "../state/program.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useText } from "../ui/language/language.ts";

const items = [
  ["language", "general"],
  ["practice", "general"],
  ["people", "people"],
  ["camera", "capture"],
  ["device", "dicom"],
  ["backup", "backups"],
] as const satisfies readonly (readonly [string, SettingsTab | "capture"])[];

/** Links to the settings that a new practice needs, until an administrator dismisses them. */
export function SetUpCard() {
  const text = useText();
  const { settings, save } = useProgram();
  const mayAdminister = usePermission("administer");
  const go = useNavigation((state) => state.go);
  if (!settings || settings.isSetUp || !mayAdminister) return null;
  return (
    <section className="card set-up" aria-label={text("setUp.title")}>
      <div className="row spread">
        <h2>{text("setUp.title")}</h2>
        <IconButton icon="close" label={text("setUp.close")} onClick={() => attempt(() => save({ isSetUp: true }))} />
      </div>
      {items.map(([name, place]) => (
        <Button
          key={name}
          tone="plain"
          icon="right"
          onClick={() => (place === "capture" ? go(place) : showSettings(place))}
        >
          {text(`setUp.${name}`)}
        </Button>
      ))}
    </section>
  );
}
