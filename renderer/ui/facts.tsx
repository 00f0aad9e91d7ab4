import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

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
