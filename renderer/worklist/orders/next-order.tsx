import "./orders.css";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { useText } from "../../ui/language/language.ts";

export function NextOrder() {
  const text = useText();
  const { value } = useChannel("orders.next", {});
  if (!value?.next) return null;
  const { order, patient } = value.next;
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
