import type { ReactNode } from "react";
import { DropdownMenu } from "radix-ui";
import { Keys } from "./keys.tsx";

/** One line of a menu, or a dividing line. */
export type MenuEntry = "line" | { readonly label: string; readonly onChoose: () => void; readonly keys?: string | undefined; readonly isDisabled?: boolean };

/** A menu that opens from its one child. */
export function Menu({ entries, children, align = "end" }: { readonly entries: readonly MenuEntry[]; readonly children: ReactNode; readonly align?: "start" | "end" }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {entries.map((entry, index) =>
            entry === "line" ? (
              <DropdownMenu.Separator key={index} className="menu-line" />
            ) : (
              <DropdownMenu.Item key={entry.label} className="menu-item" disabled={entry.isDisabled ?? false} onSelect={entry.onChoose}>
                {entry.label}
                {entry.keys && <Keys keys={entry.keys} />}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
