import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { listen, type Listening } from "../../../../main/server/listen.ts";
import type { ServerLimits } from "../../../../main/server/server-limits.ts";
import { ensureTlsCredentials, type TlsCredentials } from "../../../../main/server/tls/tls.ts";
import { openScriptedService, type ScriptedService } from "./scripted-service.ts";
import { folderForFile } from "../../../fixtures/folders.ts";

type Options = NonNullable<Parameters<typeof openScriptedService>[0]>;

/** Limits that end no connection within a test; only the client or closing the service does. */
export const endlessLimits: Partial<ServerLimits> = {
  headersTimeoutMs: 600_000,
  requestTimeoutMs: 600_000,
  lingerMs: 600_000,
  keepAliveTimeoutMs: 600_000,
  handshakeTimeoutMs: 600_000,
};

export type ListeningService = {
  readonly service: ScriptedService;
  readonly listening: Listening;
  readonly credentials: TlsCredentials;
  authority(): string;
  openAgain(changes: Options): Promise<void>;
};

/** Opens a new service for each test. The members are available in hooks and tests. */
export function useListeningService(options: Options = {}): ListeningService {
  const folder = folderForFile();
  const service = {} as ScriptedService;
  const listening = {} as Listening;
  const credentials = {} as TlsCredentials;
  const open = async (changes: Options = {}) => {
    Object.assign(service, await openScriptedService({ credentials, limits: endlessLimits, ...options, ...changes }));
    Object.assign(listening, await listen(service.app, { port: 0 }));
  };
  const close = async () => {
    await listening.close(100);
    await service.close();
  };
  beforeAll(
    async () =>
      void Object.assign(credentials, await ensureTlsCredentials(folder, options.configuredHosts ?? [], new Date())),
  );
  beforeEach(() => open());
  afterEach(close);
  return {
    service,
    listening,
    credentials,
    authority: () => readFileSync(credentials.authorityPath, "utf8"),
    async openAgain(changes) {
      await close();
      await open(changes);
    },
  };
}
