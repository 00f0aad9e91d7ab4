import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openSocket } from "../../../../main/dicom/network/secure-socket.ts";

it("survives an error before the caller listens", async () => {
  const server = createServer((socket) => socket.resume());
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const socket = (await openSocket({ host: "127.0.0.1", port, encryption: null }, 10_000)) as Socket;
  expect(() => socket.emit("error", new Error("read ECONNRESET"))).not.toThrow();
  socket.destroy();
});
