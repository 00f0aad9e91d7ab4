import type { Engine } from "../inference/engine.ts";
import type { NetworkPool } from "../inference/threads/network-pool.ts";
import type { Desktop } from "../ipc/desktop.ts";
import type { DesktopOptions } from "../ipc/handlers.ts";
import type { Log, ServiceContext } from "../services/measuring/service-context.ts";
import type { HeadVault } from "../services/program/watches/record-watch.ts";

export type CorvetOptions = HostOptions & {
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Use a free port if `port` is in use or reserved, and report that in the window. */
  readonly takesFreePort?: boolean;
  readonly log: Log;
  /** PostgreSQL database of the store; if omitted, from the environment or the settings. */
  readonly database?: string | null | undefined;
  /** Folder of the program's model packs; tests and vendors pass another one. */
  readonly packsDir?: string;
  /** Replaces the packs' networks, for example by recorded results in tests of the store. */
  readonly engine?: Engine;
  /** Network threads that the host started early; they close with the program. */
  readonly pool?: NetworkPool;
  readonly now?: () => Date;
  readonly headVault?: HeadVault | null;
};

/** Functions that only the host provides. `sealer` protects the record's head, passwords and keys. */
type HostOptions = Pick<
  DesktopOptions,
  "openFolder" | "startAtLogIn" | "restart" | "updateHost" | "updateOrigin" | "openMail" | "sealer" | "pollMs"
>;

export type Corvet = {
  readonly context: ServiceContext;
  readonly desktop: Desktop;
  readonly url: string;
  readonly port: number;
  /** Certificate of the authority that signed the server's. */
  readonly authorityFile: string;
  /** Address of the page with a new one-time token. */
  pageUrl(): string;
  /** Waits up to 10 s for requests in flight, then closes everything. */
  close(): Promise<void>;
};
