import type { InstallerFile, InstallerTarget } from "../../../core/updates/release-statement.ts";

export type UpdateHost = {
  /** Installer type that replaces this installation; null for a checkout or an unpacked folder. */
  readonly target: InstallerTarget | null;
  /** Fetches with the system's proxy and certificates. @throws Error */
  fetch(address: string, signal: AbortSignal): Promise<Response>;
  /**
   * Downloads an installer, verifies its hash and keeps it for `restart`.
   *
   * @param address    folder of the installer
   * @param onFetched  0–1
   * @throws Error if the download fails or the hash differs
   */
  prepare(version: string, file: InstallerFile, address: string, onFetched: (share: number) => void): Promise<void>;
  stop(): void;
  /** Runs the prepared installer. A window with unsaved changes may refuse. */
  restart(): void;
  chooseFile(): Promise<string | null>;
};

export type AbleHost = UpdateHost & { readonly target: InstallerTarget };
