import type { Order } from "../../../core/contract/desktop/network/orders.ts";
import { speciesNames } from "../../../core/contract/desktop/patients.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { Button } from "../../ui/button.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { FoundTable } from "../pacs/found-table.tsx";

/** Many worklists omit the species. */
function withSpecies(order: Order, species: (typeof speciesNames)[number]): Order {
  return { ...order, patient: { ...order.patient, species } };
}

export function FoundOrders({ orders, onTaken }: { readonly orders: readonly Order[]; readonly onTaken: () => void }) {
  const text = useText();
  const format = useFormat();
  const accept = (order: Order) =>
    attempt(async () => {
      await call("orders.take", { order });
      onTaken();
    });
  return (
    <FoundTable
      label={text("orders.title")}
      heads={[
        text("orders.when"),
        text("films.patient"),
        text("pacs.patientId"),
        text("orders.procedure"),
        text("orders.accession"),
      ]}
    >
      {orders.map((order) => (
        <tr key={`${order.studyInstanceUid} ${order.stepId ?? ""}`}>
          <td className="data">
            {[order.day && format.day(`${order.day}T12:00:00`), order.time].filter(Boolean).join(", ") || "—"}
          </td>
          <td>{[order.patient.name, order.patient.owner].filter(Boolean).join(", ")}</td>
          <td className="data">{order.patient.number}</td>
          <td>{order.step ?? order.procedure ?? "—"}</td>
          <td className="data">{order.accessionNumber ?? "—"}</td>
          <td>
            <div className="row end">
              {order.patient.species === null ? (
                speciesNames.map((species) => (
                  <Button key={species} onClick={() => accept(withSpecies(order, species))}>
                    {text(`orders.takeAs_${species}`)}
                  </Button>
                ))
              ) : (
                <Button onClick={() => accept(order)}>{text("orders.take")}</Button>
              )}
            </div>
          </td>
        </tr>
      ))}
    </FoundTable>
  );
}
