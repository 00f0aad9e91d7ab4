import "./letterhead.css";
import { useRef, useState } from "react";
import type { Settings } from "../../core/contract/desktop/settings.ts";
import { attempt } from "../state/faults.ts";
import { Button } from "../ui/button.tsx";
import { SavedText } from "./saved-text.tsx";
import { useText } from "../ui/language/language.ts";
import { shrunkLogo } from "./shrunk-logo.ts";

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
  const file = useRef<HTMLInputElement>(null);
  const chooseLogo = async (chosen: File | undefined) => {
    const clinicLogo = chosen ? await shrunkLogo(chosen) : null;
    setUnreadable(chosen !== undefined && clinicLogo === null);
    if (clinicLogo !== null) await onSave({ clinicLogo });
  };
  return (
    <>
      <SavedText
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
          <Button onClick={() => file.current?.click()}>{text("report.chooseLogo")}</Button>
          {letterhead.clinicLogo !== "" && (
            <Button tone="plain" onClick={() => attempt(() => onSave({ clinicLogo: "" }))}>
              {text("common.remove")}
            </Button>
          )}
        </div>
        <span className={`field-note ${isUnreadable ? "fault-text" : ""}`} role={isUnreadable ? "alert" : undefined}>
          {text(isUnreadable ? "report.logoFault" : "report.logoNote")}
        </span>
        <input
          ref={file}
          type="file"
          accept="image/png,image/jpeg"
          hidden
          aria-label={text("report.logo")}
          data-testid="logo"
          onChange={(event) => {
            attempt(() => chooseLogo(event.target.files?.[0]));
            event.target.value = "";
          }}
        />
      </div>
    </>
  );
}
