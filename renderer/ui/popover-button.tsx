import type { ReactNode } from "react";
import { Popover } from "radix-ui";
import { IconButton } from "./button.tsx";
import { markFocusReturn } from "./dialogs/focus-return.ts";
import type { IconName } from "./icon.tsx";
import { usePortalContainer } from "./dialogs/portal-container.ts";

export function PopoverButton({
  icon,
  label,
  onOpenAutoFocus,
  children,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly onOpenAutoFocus?: (event: Event) => void;
  readonly children: ReactNode;
}) {
  const container = usePortalContainer();
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton icon={icon} label={label} />
      </Popover.Trigger>
      <Popover.Portal container={container}>
        <Popover.Content
          className="popover"
          sideOffset={6}
          aria-label={label}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={markFocusReturn}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
