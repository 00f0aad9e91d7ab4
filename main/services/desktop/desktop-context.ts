import type { DesktopEvent } from "../../../core/contract/desktop.ts";
import type { Secrets } from "./secrets.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** What the use cases of the desktop program need beside the rest: a way to tell the page, and a place for secrets. */
export type DesktopContext = ServiceContext & {
  readonly publish: (event: DesktopEvent) => void;
  readonly secrets: Secrets;
};
