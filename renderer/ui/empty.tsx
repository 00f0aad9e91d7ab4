import { createContext, useContext, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { useText } from "./language/language.ts";

/** Whether the program is unreachable, which a notice above the screens already states. */
export const ProgramAway = createContext(false);

export function Empty({
  icon,
  title,
  role,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly role?: "alert";
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty" role={role}>
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A failed request with a retry button; a loading indicator while the program is unreachable. */
export function Failed({ fault, onRetry }: { readonly fault: string; readonly onRetry: () => void }) {
  const text = useText();
  if (useContext(ProgramAway)) return <Loading label={text("common.loading")} />;
  return (
    <Empty icon="alert" title={fault} role="alert">
      <Button icon="retry" onClick={onRetry}>
        {text("common.retry")}
      </Button>
    </Empty>
  );
}

export function Loaded<T>({
  query: { value, fault, staleFault, reload },
  waiting,
  children,
}: {
  readonly query: {
    readonly value: T | null;
    readonly fault: string | null;
    readonly staleFault: string | null;
    readonly reload: () => void;
  };
  readonly waiting?: string;
  readonly children: (value: T) => ReactNode;
}) {
  const text = useText();
  if (fault !== null) return <Failed fault={fault} onRetry={reload} />;
  if (value === null) return <Loading label={waiting ?? text("common.loading")} />;
  return (
    <>
      <Stale fault={staleFault} onRetry={reload} />
      {children(value)}
    </>
  );
}

export function Stale({ fault, onRetry }: { readonly fault: string | null; readonly onRetry: () => void }) {
  const text = useText();
  const isHidden = useContext(ProgramAway);
  if (fault === null || isHidden) return null;
  return (
    <Notice tone="fault">
      <div className="row spread">
        {fault}
        <Button icon="retry" onClick={onRetry}>
          {text("common.retry")}
        </Button>
      </div>
    </Notice>
  );
}

export function Loading({ label }: { readonly label: string }) {
  return (
    <div className="empty" role="status">
      <span className="spinner" />
      <p>{label}</p>
    </div>
  );
}

/** A boxed note; screen readers announce `fault` at once. */
export function Notice({ tone, children }: { readonly tone?: "review" | "fault"; readonly children: ReactNode }) {
  return (
    <div className={`notice ${tone ?? ""}`} role={tone === "fault" ? "alert" : undefined}>
      {tone && <Icon name="alert" />}
      <div>{children}</div>
    </div>
  );
}
