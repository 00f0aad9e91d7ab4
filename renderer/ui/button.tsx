import type { ButtonHTMLAttributes, FocusEvent, MouseEvent, ReactNode, Ref } from "react";
import { Tooltip } from "radix-ui";
import { isRestoringFocus } from "./dialogs/focus-return.ts";
import { Icon, type DrawnIcon, type IconName } from "./icon.tsx";
import { Keys } from "./keys/keys.tsx";
import { tooltipEscapes } from "./keys/shortcut-keys.ts";
import { usePortalContainer } from "./dialogs/portal-container.ts";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly tone?: "primary" | "danger" | "plain";
  readonly icon?: IconName;
  /** Whether the action is in progress, so that further presses do nothing. A disabled button would lose the focus. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
};

export function Button({ tone, icon, isBusy = false, children, className = "", ...rest }: ButtonProps) {
  const whileBusy = isBusy && { "aria-disabled": true, onClick: (event: MouseEvent) => event.preventDefault() };
  return (
    <button type="button" className={`button ${tone ?? ""} ${className}`} {...rest} {...whileBusy}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  readonly icon: IconName | DrawnIcon;
  readonly label: string;
  /** Shortcut shown in the tooltip, in the notation of the shortcut table. */
  readonly keys?: string | undefined;
  readonly isPressed?: boolean;
  readonly hintSide?: "left";
  readonly ref?: Ref<HTMLButtonElement>;
};

export function IconButton({ icon, label, keys, isPressed, hintSide, className = "", ...rest }: IconButtonProps) {
  return (
    <Hint text={label} keys={keys} side={hintSide}>
      <button
        type="button"
        className={`icon-button ${className}`}
        aria-label={label}
        aria-pressed={isPressed}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Hint>
  );
}

/** Suppresses the tooltip when focus is restored, since it would cover the changed content. */
function suppressTooltip(event: FocusEvent<HTMLElement>): void {
  if (isRestoringFocus()) event.preventDefault();
}

export function Hint({
  text,
  keys,
  side,
  children,
}: {
  readonly text: string;
  readonly keys?: string | undefined;
  readonly side?: "left" | undefined;
  readonly children: ReactNode;
}) {
  const container = usePortalContainer();
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild onFocus={suppressTooltip}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal container={container}>
        <Tooltip.Content
          className="tooltip"
          {...(side && { side })}
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={(event) => tooltipEscapes.add(event)}
        >
          {text}
          {keys && <Keys keys={keys} />}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
