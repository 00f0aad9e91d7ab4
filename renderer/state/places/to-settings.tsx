import { Button } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";
import { useMay } from "../people.ts";
import { showSettings } from "./settings-tab.ts";

type Props = {
  readonly tab: "packs" | "dicom";
  readonly tone?: "primary";
  /** Leaves what lies over the settings. */
  readonly onLeave?: () => void;
};

/** The way to what an administrator sets up; others are told that it is one who does. */
export function ToSettings({ tab, tone, onLeave }: Props) {
  const text = useText();
  if (!useMay("administer")) return <span className="quiet">{text("common.setUpByAdministrator")}</span>;
  const lead = () => {
    onLeave?.();
    showSettings(tab);
  };
  return (
    <Button {...(tone && { tone })} onClick={lead}>
      {text(tab === "packs" ? "common.showPacks" : "dicom.addNode")}
    </Button>
  );
}
