import type { Engine } from "../inference/engine.ts";
import type { NetworkPool } from "../inference/threads/network-pool.ts";
import type { Desktop } from "../ipc/desktop.ts";
import type { DesktopOptions } from "../ipc/handlers.ts";
import type { Log, ServiceContext } from "../services/measuring/service-context.ts";
import type { HeadVault } from "../services/program/watches/record-watch.ts";

/** How a program is put together; everything but the data directory and the port has a sensible default. */
export type CorvetOptions = HostOptions & {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Takes a free port if the wanted one is in use or reserved, and reports it in the window. */
  readonly takesFreePort?: boolean;
  readonly log: Log;
  /** PostgreSQL database of the store; if omitted, from the environment or the settings. */
  readonly database?: string | null | undefined;
  /** Model packs that came with the program; another folder for tests and vendors. */
  readonly packsDir?: string;
  /** Replaces the packs' networks, for example by recorded responses in tests of the store. */
  readonly engine?: Engine;
  /** Network threads that the host started early; they close with the program. */
  readonly pool?: NetworkPool;
  readonly now?: () => Date;
  readonly headVault?: HeadVault | null;
};

/** What only the program's host can do. `sealer` protects the record's head, and passwords and keys. */
type HostOptions = Pick<
  DesktopOptions,
  "transport" | "openFolder" | "startAtLogIn" | "restart" | "updateHost" | "updateOrigin" | "openMail" | "sealer"
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
