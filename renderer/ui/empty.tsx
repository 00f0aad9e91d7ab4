import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** What a place shows while there is nothing to show: why, and what to do. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Something is on its way. */
export function Loading({ label }: { readonly label: string }) {
  return (
    <div className="empty" role="status">
      <span className="spinner" />
      <p>{label}</p>
    </div>
  );
}

/** A boxed remark; `fault` is announced at once. */
export function Notice({ tone, children }: { readonly tone?: "review" | "fault"; readonly children: ReactNode }) {
  return (
    <div className={`notice ${tone ?? ""}`} role={tone === "fault" ? "alert" : undefined}>
      {tone && <Icon name="alert" />}
      <div>{children}</div>
    </div>
  );
}
