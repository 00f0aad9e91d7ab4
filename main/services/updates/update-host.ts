import type { InstallerFile, InstallerTarget } from "../../../core/updates/release-statement.ts";

/** What updates need of the desktop around them. */
export type UpdateHost = {
  /** Which installer replaces this installation; null for a checkout or an unpacked folder. */
  readonly target: InstallerTarget | null;
  /** Fetches by the system's own way to the web (proxies, certificates). @throws Error */
  fetch(address: string, signal: AbortSignal): Promise<Response>;
  /**
   * Fetches an installer, checks its bytes against the statement's hash, and keeps it for `restart`.
   *
   * @param address    folder in which it lies
   * @param onFetched  0–1
   * @throws Error when it cannot be fetched or has other bytes
   */
  prepare(version: string, file: InstallerFile, address: string, onFetched: (share: number) => void): Promise<void>;
  /** Stops fetching; stopping what has ended is not an error. */
  stop(): void;
  /** Closes window and service, installs what was prepared and starts it. A window with unsaved changes may refuse. */
  restart(): void;
  /** Asks for a file; null when the person chose none. */
  chooseFile(): Promise<string | null>;
};
