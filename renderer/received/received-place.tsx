import "./received.css";
import { useContext, useState } from "react";
import { useChannel } from "../state/queries.ts";
import { Hint } from "../ui/button.tsx";
import { ProgramAway } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";
import { useText } from "../ui/language/language.ts";
import { ReceivedDialog } from "./received-dialog.tsx";

/** Rail entry for received objects that could not be opened, or for a failure to list them; hidden without either. */
export function ReceivedPlace() {
  const text = useText();
  const { value, fault, staleFault, reload } = useChannel("received.list", {});
  const isAway = useContext(ProgramAway);
  const missing = isAway ? null : (fault ?? staleFault);
  const [isOpen, setOpen] = useState(false);
  const objects = value?.objects ?? [];
  if (objects.length === 0 && missing === null && !isOpen) return null;
  const name = missing ? `${text("received.short")}: ${missing}` : text("received.place", { count: objects.length });
  return (
    <>
      <Hint text={name}>
        <button type="button" className="place received-place" aria-label={name} onClick={() => setOpen(true)}>
          <Icon name="alert" />
          <span>{text("received.short")}</span>
          {objects.length > 0 && (
            <span className="received-count" aria-hidden="true">
              {objects.length}
            </span>
          )}
        </button>
      </Hint>
      {isOpen && <ReceivedDialog objects={objects} fault={missing} onClose={() => setOpen(false)} onChange={reload} />}
    </>
  );
}
