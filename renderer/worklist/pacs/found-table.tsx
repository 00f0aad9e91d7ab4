import type { ReactNode } from "react";
import { useText } from "../../ui/language/language.ts";

/** What another system has found, a row each, with what can be done with it at the end. */
export function FoundTable({
  label,
  heads,
  children,
}: {
  readonly label: string;
  readonly heads: readonly string[];
  readonly children: ReactNode;
}) {
  const text = useText();
  return (
    <div className="pacs-found" tabIndex={0} role="group" aria-label={label}>
      <table className="grid-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
            <th>
              <span className="visually-hidden">{text("dicom.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
