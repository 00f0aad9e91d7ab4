import type { ConnectionOptions } from "node:tls";

export type PostgresHost = {
  /** Name or address of the computer, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  /** Encrypted, with the server's certificate checked; false on this computer. */
  readonly ssl: ConnectionOptions | false;
};

/** The hosts of an address. Connections go to the same one until it fails, then to the next. */
export type Hosts = {
  readonly count: number;
  /** Whether a server must accept writes: of several, only the primary will do. */
  readonly isReadWrite: boolean;
  current(): PostgresHost;
  /** Switches to the next host after this one did not respond or accept writes. */
  leave(host: PostgresHost): void;
};

/** @param all  at least one */
export function createHosts(all: readonly [PostgresHost, ...PostgresHost[]], isReadWrite: boolean): Hosts {
  let place = 0;
  const current = () => all[place] ?? all[0];
  return {
    count: all.length,
    isReadWrite,
    current,
    leave(host) {
      // Of several connections that fail at the same time, the first one moves on.
      if (host === current()) place = (place + 1) % all.length;
    },
  };
}
