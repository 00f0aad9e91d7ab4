import type { ConnectionOptions } from "node:tls";

export type PostgresHost = {
  /** Host name, IP address, or folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** False on this computer unless requested. */
  readonly ssl: ConnectionOptions | false;
};

export type Hosts = ReturnType<typeof createHosts>;

/**
 * The hosts of an address. Connections go to the same one until it fails, then to the next.
 *
 * @param isReadWrite  whether the server must accept writes, which of several hosts only the primary does
 */
export function createHosts(all: readonly [PostgresHost, ...PostgresHost[]], isReadWrite: boolean) {
  let place = 0;
  const current = () => all[place] ?? all[0];
  return {
    count: all.length,
    isReadWrite,
    current,
    leave(host: PostgresHost) {
      // If several connections fail at the same time, switch only once.
      if (host === current()) place = (place + 1) % all.length;
    },
  };
}
