import type { AssociationEntry } from "../../../core/contract/desktop/network/dicom.ts";
import { useChannel } from "../../state/queries.ts";
import { Loaded, Empty } from "../../ui/empty.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { Table } from "../../ui/table.tsx";

export function DicomLog() {
  const text = useText();
  const format = useFormat();
  const query = useChannel("dicom.log", {});
  return (
    <section className="card stack" aria-labelledby="dicom-log">
      <div className="row heading">
        <h2 id="dicom-log">{text("dicom.log")}</h2>
        <span className="quiet">{text("dicom.logNote")}</span>
      </div>
      <Loaded query={query}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty icon="info" title={text("dicom.logEmpty")}>
              <p>{text("dicom.logEmptyText")}</p>
            </Empty>
          ) : (
            <div className="dicom-entries" tabIndex={0} role="group" aria-labelledby="dicom-log">
              <Table heads={[text("ledger.at"), text("dicom.from"), text("dicom.nodeTitle"), text("dicom.outcome")]}>
                {entries.map((entry, index) => (
                  <tr key={index}>
                    <td className="data">{format.minute(entry.at)}</td>
                    <td className="data">{entry.address}</td>
                    <td className="data">{entry.callingAeTitle ?? "—"}</td>
                    <td>
                      <Outcome entry={entry} />
                    </td>
                  </tr>
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

function Outcome({
  entry: { storedObjects, refusedObjects, echoes, fault, calledAeTitle, associations },
}: {
  readonly entry: AssociationEntry;
}) {
  const text = useText();
  const good = [
    ...(storedObjects > 0 ? [text("dicom.stored", { count: storedObjects })] : []),
    ...(echoes > 0 ? [text("dicom.echoed")] : []),
    ...(storedObjects + echoes + refusedObjects === 0 && fault === null ? [text("dicom.nothingSent")] : []),
  ];
  const bad = [
    ...(refusedObjects > 0 ? [text("dicom.damagedObjects", { count: refusedObjects })] : []),
    ...(fault ? [text(`dicom.association_${fault}`, { called: calledAeTitle ?? "" })] : []),
    ...(associations > 1 ? [text("dicom.times", { count: associations })] : []),
  ];
  return (
    <>
      {good.join(", ")}
      {good.length > 0 && bad.length > 0 && ", "}
      {bad.length > 0 && <span className="fault-text">{bad.join(", ")}</span>}
    </>
  );
}
