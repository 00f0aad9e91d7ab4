import { AppError, because } from "../../../core/app-error.ts";
import { statementName } from "./release-origin.ts";
import type { UpdateHost } from "./update-host.ts";

const patienceMs = 30_000;
const mostBytes = 512 * 1024;

/**
 * Fetches the statement of the newest release. Sends no data of the clinic.
 *
 * @param folder  address with a trailing slash
 * @throws AppError UPDATE_REFUSED without a response, or for an invalid statement
 */
export async function fetchStatement({ fetch }: Pick<UpdateHost, "fetch">, folder: string): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(new URL(statementName, folder).href, AbortSignal.timeout(patienceMs));
  } catch (cause) {
    throw new AppError("UPDATE_REFUSED", because("updateUnreachable"), { cause });
  }
  if (!response.ok) throw new AppError("UPDATE_REFUSED", because("updateUnreachable"));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new AppError("UPDATE_REFUSED", because("updateIsNone"));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
