import "./letterhead.css";
import { useState } from "react";
import type { Settings } from "../../core/contract/desktop/settings.ts";
import { attempt } from "../state/faults.ts";
import { Button } from "../ui/button.tsx";
import { FileButton } from "../ui/fields/file-button.tsx";
import { SavedText } from "./saved-text.tsx";
import { useText } from "../ui/language/language.ts";

type Letterhead = Pick<Settings, "clinicAddress" | "clinicLogo">;

export function LetterheadSettings({
  letterhead,
  onSave,
}: {
  readonly letterhead: Letterhead;
  readonly onSave: (change: Partial<Letterhead>) => Promise<unknown>;
}) {
  const text = useText();
  const [isUnreadable, setUnreadable] = useState(false);
  const chooseLogo = async (chosen: File) => {
    const clinicLogo = await shrunkLogo(chosen);
    setUnreadable(clinicLogo === null);
    if (clinicLogo !== null) await onSave({ clinicLogo });
  };
  return (
    <>
      <SavedText
        name="clinicAddress"
        label={text("report.address")}
        note={text("report.addressNote")}
        rows={3}
        maxLength={400}
        value={letterhead.clinicAddress}
        onSave={(clinicAddress) => onSave({ clinicAddress })}
      />
      <div className="field">
        <span className="field-label">{text("report.logo")}</span>
        <div className="row">
          {letterhead.clinicLogo !== "" && (
            <img className="letterhead-logo" src={letterhead.clinicLogo} alt={text("report.logo")} />
          )}
          <FileButton
            label={text("report.logo")}
            accept="image/png,image/jpeg"
            onChoose={(chosen) => attempt(() => chooseLogo(chosen))}
          >
            {text("common.chooseFile")}
          </FileButton>
          {letterhead.clinicLogo !== "" && (
            <Button tone="plain" onClick={() => attempt(() => onSave({ clinicLogo: "" }))}>
              {text("common.remove")}
            </Button>
          )}
        </div>
        <span className={`field-note ${isUnreadable ? "fault-text" : ""}`} role={isUnreadable ? "alert" : undefined}>
          {text(isUnreadable ? "report.logoFault" : "report.logoNote")}
        </span>
      </div>
    </>
  );
}

/** Maximum size of a logo, which is printed about 5 cm wide [px]. */
const most = { widthPx: 600, heightPx: 200 } as const;

async function shrunkLogo(file: File): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, most.widthPx / picture.width, most.heightPx / picture.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
