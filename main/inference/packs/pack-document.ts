import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";

/** @throws AppError PACK_REFUSED if it is not JSON, or not UTF-8 */
export function parseDocument(json: string | Uint8Array, name: string): unknown {
  try {
    return JSON.parse(typeof json === "string" ? json : new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch (cause) {
    throw new AppError("PACK_REFUSED", because("packNotJson", { name }), { cause });
  }
}

/** @throws AppError PACK_REFUSED with every invalid field */
export function shapedAs<Schema extends z.ZodType>(schema: Schema, document: unknown, name: string): z.output<Schema> {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const fields = z.prettifyError(parsed.error).replaceAll("\n", " ");
  throw new AppError("PACK_REFUSED", because("packFieldsWrong", { name, fields }));
}
