import type { ReactNode } from "react";
import { DropdownMenu } from "radix-ui";
import { markFocusReturn } from "./dialogs/focus-return.ts";
import { Icon } from "./icon.tsx";
import { Keys } from "./keys/keys.tsx";
import { usePortalContainer } from "./dialogs/portal-container.ts";

/** An item of a menu; with `isChosen`, one of several mutually exclusive items. */
type MenuItem = {
  readonly label: string;
  readonly onChoose: () => void;
  readonly keys?: string | undefined;
  readonly isDisabled?: boolean;
  readonly isChosen?: boolean;
};
export type MenuEntry =
  | "line"
  | { readonly heading: string }
  | { readonly submenu: string; readonly entries: readonly MenuItem[] }
  | MenuItem;

export function Menu({
  entries,
  children,
  align = "end",
  ...control
}: {
  readonly entries: readonly MenuEntry[];
  readonly children: ReactNode;
  readonly align?: "start" | "end";
  /** Both given if something other than the trigger opens the menu too. */
  readonly open?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}) {
  const container = usePortalContainer();
  return (
    <DropdownMenu.Root modal={false} {...control}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={markFocusReturn}
        >
          {entries.map((entry, index) =>
            entry === "line" ? (
              <DropdownMenu.Separator key={index} className="menu-line" />
            ) : "heading" in entry ? (
              <DropdownMenu.Label key={entry.heading} className="menu-heading">
                {entry.heading}
              </DropdownMenu.Label>
            ) : "submenu" in entry ? (
              <Submenu key={entry.submenu} {...entry} />
            ) : (
              <Item key={entry.label} {...entry} />
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Submenu({ submenu, entries }: Extract<MenuEntry, { submenu: string }>) {
  const container = usePortalContainer();
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className="menu-item">
        {submenu}
        <Icon name="right" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.SubContent className="menu" collisionPadding={8}>
          {entries.map((entry) => (
            <Item key={entry.label} {...entry} />
          ))}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}

function Item({ label, onChoose, keys, isDisabled = false, isChosen }: MenuItem) {
  const words = (
    <>
      {label}
      {keys && <Keys keys={keys} />}
    </>
  );
  if (isChosen === undefined)
    return (
      <DropdownMenu.Item className="menu-item" disabled={isDisabled} onSelect={onChoose}>
        {words}
      </DropdownMenu.Item>
    );
  return (
    <DropdownMenu.CheckboxItem className="menu-item" disabled={isDisabled} checked={isChosen} onSelect={onChoose}>
      <span className="menu-mark">
        <DropdownMenu.ItemIndicator>
          <Icon name="check" />
        </DropdownMenu.ItemIndicator>
      </span>
      {words}
    </DropdownMenu.CheckboxItem>
  );
}
