// Runs once: tests connections to PostgreSQL, without a store.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { HostClient } from "../../../../main/store/engines/postgres/host-client.ts";
import { readPostgresAddress } from "../../../../main/store/engines/postgres/postgres-address.ts";

/** A message of PostgreSQL's protocol. @see https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

it("survives a connection that the server ends at once", async () => {
  const signedIn = message("R", Buffer.alloc(4));
  const ready = message("Z", Buffer.from("I"));
  const ended = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"));
  const server = createServer((socket) =>
    socket.once("data", () => socket.end(Buffer.concat([signedIn, ready, ended]))),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const client = new HostClient(readPostgresAddress(`postgres://corvet@127.0.0.1:${port}/corvet`));
  // Without a listener for this error, the process would end.
  await client.connect().catch(() => undefined);
  await expect(client.query("SELECT 1")).rejects.toThrow();
});
