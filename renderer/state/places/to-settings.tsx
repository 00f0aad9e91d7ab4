import { Button } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";
import { usePermission } from "../people.ts";
import { showSettings } from "./settings-tab.ts";

type Props = {
  readonly tab: "packs" | "dicom";
  readonly tone?: "primary";
  readonly onLeave?: () => void;
};

/** Button that opens an administrator's setting; other users see that an administrator can change it. */
export function ToSettings({ tab, tone, onLeave }: Props) {
  const text = useText();
  if (!usePermission("administer")) return <span className="quiet">{text("common.setUpByAdministrator")}</span>;
  const openSettings = () => {
    onLeave?.();
    showSettings(tab);
  };
  return (
    <Button {...(tone && { tone })} onClick={openSettings}>
      {text(tab === "packs" ? "common.showPacks" : "dicom.addNode")}
    </Button>
  );
}
