import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** Facts by name, one a row. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd className="data">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
