import type { ReactNode } from "react";
import { useText } from "../../ui/language/language.ts";
import { Table } from "../../ui/table.tsx";

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
      <Table heads={[...heads, { hidden: text("dicom.actions") }]}>{children}</Table>
    </div>
  );
}
