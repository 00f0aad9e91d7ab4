import "./received.css";
import { useState } from "react";
import { useChannel } from "../state/queries.ts";
import { Hint } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useText } from "../ui/language/language.ts";
import { ReceivedDialog } from "./received-dialog.tsx";

/** Rail entry with the number of received objects that are not shown; absent without any. */
export function ReceivedPlace() {
  const text = useText();
  const { value, reload } = useChannel("received.list", {});
  const [isOpen, setOpen] = useState(false);
  const objects = value?.objects ?? [];
  if (objects.length === 0 && !isOpen) return null;
  const name = text("received.place", { count: objects.length });
  return (
    <>
      <Hint text={name}>
        <button type="button" className="place received-place" aria-label={name} onClick={() => setOpen(true)}>
          <Icon name="alert" />
          <span>{text("received.short")}</span>
          <span className="received-count" aria-hidden="true">
            {objects.length}
          </span>
        </button>
      </Hint>
      {isOpen && <ReceivedDialog objects={objects} onClose={() => setOpen(false)} onChange={reload} />}
    </>
  );
}
