import type { DesktopAnswer, DesktopChannel, DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import type { DesktopEvent } from "../../core/contract/desktop/events.ts";
import { desktopRoutes, uploadHeader } from "../../core/contract/desktop/routes.ts";
import type { Failure } from "../../core/contract/desktop/shapes.ts";

export type Connection = {
  readonly kind: "electron" | "browser";
  call<C extends DesktopChannel>(channel: C, request: DesktopRequest<C>): Promise<DesktopAnswer<DesktopResponse<C>>>;
  /** @param onLive  receives whether events arrive; after an interruption, all data shown must be reloaded */
  subscribe(listener: (event: DesktopEvent) => void, onLive: (isLive: boolean) => void): () => void;
};

/** A request that the program did not fulfil, or that did not reach it (`OFFLINE`). */
export class ProgramError extends Error {
  readonly code: string;
  readonly reason: Failure["reason"];
  constructor({ code, message, reason }: Failure, options?: ErrorOptions) {
    super(message, options);
    this.name = "ProgramError";
    this.code = code;
    this.reason = reason;
  }
}

let current: Connection | null = null;

/** Sets the connection used by all features. Called once, before the first render. */
export function setConnection(connection: Connection): void {
  current = connection;
}

export function connection(): Connection {
  if (!current) throw new Error("no connection has been set");
  return current;
}

/** @throws ProgramError */
export async function call<C extends DesktopChannel>(
  channel: C,
  request: DesktopRequest<C>,
): Promise<DesktopResponse<C>> {
  return unwrap(await connection().call(channel, request));
}

/** @throws ProgramError */
export async function uploadBytes<T>(
  path: string,
  query: Readonly<Record<string, string>>,
  body: Blob,
  signal?: AbortSignal,
): Promise<T> {
  const search = new URLSearchParams(query).toString();
  const type = body.type || "application/octet-stream";
  const headers = { "content-type": type, ...(signal && cancelHeader(signal)) };
  const response = await fetchOrOffline(() =>
    fetch(`${path}?${search}`, { method: "PUT", body, headers, ...(signal && { signal }) }),
  );
  return unwrap((await response.json()) as DesktopAnswer<T>);
}

/** Electron does not forward the abort of a request, so a second request cancels the upload. */
function cancelHeader(signal: AbortSignal): Record<string, string> {
  if (connection().kind !== "electron") return {};
  const upload = crypto.randomUUID();
  const cancel = () => void fetch(`${desktopRoutes.cancelUpload}?upload=${upload}`, { method: "POST" });
  signal.addEventListener("abort", cancel, { once: true });
  return { [uploadHeader]: upload };
}

/** Runs a fetch; a network failure becomes a ProgramError `OFFLINE`. */
export async function fetchOrOffline(request: () => Promise<Response>): Promise<Response> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ProgramError({ code: "OFFLINE", message: "The program does not answer" }, { cause: error });
  }
}

function unwrap<T>(answer: DesktopAnswer<T>): T {
  if (answer.ok) return answer.value;
  throw new ProgramError(answer);
}
