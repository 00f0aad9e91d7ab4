import type { ReactNode } from "react";
import { Tabs as RadixTabs } from "radix-ui";

export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly value: T; readonly label: string; readonly content: ReactNode }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  return (
    <RadixTabs.Root
      className="tabs"
      value={value}
      onValueChange={(next) => onChange(next as T)}
      activationMode="manual"
    >
      <RadixTabs.List className="tab-list no-print" aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.value} className="tab" value={tab.value}>
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} className="tab-content" value={tab.value}>
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
