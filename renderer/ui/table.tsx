import type { ReactNode } from "react";

/** Head of a column; `number`: aligned right; `hidden`: for screen readers only, above buttons. */
type Head = string | { readonly number: string } | { readonly hidden: string; readonly className?: string };

export function Table({
  heads,
  className = "",
  children,
}: {
  readonly heads: readonly Head[];
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <table className={`grid-table ${className}`}>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <HeadCell key={index} head={head} />
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function HeadCell({ head }: { readonly head: Head }) {
  if (typeof head === "string") return <th>{head}</th>;
  if ("number" in head) return <th className="number">{head.number}</th>;
  return (
    <th className={head.className}>
      <span className="visually-hidden">{head.hidden}</span>
    </th>
  );
}
