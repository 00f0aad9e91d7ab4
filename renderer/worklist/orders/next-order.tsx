import "./orders.css";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Stale } from "../../ui/empty.tsx";
import { useText } from "../../ui/language/language.ts";

export function NextOrder() {
  const { value, fault, staleFault, reload } = useChannel("orders.next", {});
  return (
    <>
      <Stale fault={fault ?? staleFault} onRetry={reload} />
      {value?.next && <Next next={value.next} />}
    </>
  );
}

function Next({ next: { order, patient } }: { readonly next: NonNullable<DesktopResponse<"orders.next">["next"]> }) {
  const text = useText();
  const number = order.accessionNumber;
  return (
    <div className="next-order row" role="status">
      <span>
        {text("orders.next", { name: patient.name })}
        {number !== null && (
          <>
            {" · "}
            <span className="order-number">
              {text("orders.accession")} {number}
            </span>
          </>
        )}
      </span>
      <Button onClick={() => attempt(() => call("orders.putBack", {}))}>{text("orders.putBack")}</Button>
    </div>
  );
}
