import { GateFault } from "./message-fragments.ts";

const itemsAt = 74;
const itemHeaderBytes = 4;
const contextItem = 0x20;
/** Identifiers are the odd numbers from 1 to 255. @see DICOM PS3.8 9.3.2.2 */
const maxContexts = 128;

/**
 * Sorts the presentation contexts of an A-ASSOCIATE-RQ by identifier, since the library renumbers a context that
 * follows a higher identifier and fails on identifiers above 255. @throws GateFault
 */
export function withOrderedContexts(pdu: Buffer): Buffer {
  const items = itemsOf(pdu);
  const contexts = items.filter(isContext).sort((one, other) => idOf(one) - idOf(other));
  const ids = new Set(contexts.map(idOf));
  if (contexts.length > maxContexts) throw new GateFault("not-dicom", `${contexts.length} presentation contexts`);
  if (ids.size < contexts.length || ids.has(0))
    throw new GateFault("not-dicom", "presentation contexts with repeated or zero identifiers");
  let next = 0;
  return Buffer.concat([
    pdu.subarray(0, itemsAt),
    ...items.map((item) => (isContext(item) ? (contexts[next++] ?? item) : item)),
  ]);
}

function itemsOf(pdu: Buffer): readonly Buffer[] {
  const items: Buffer[] = [];
  for (let at = itemsAt; at < pdu.length;) {
    const end = at + itemHeaderBytes + (at + itemHeaderBytes <= pdu.length ? pdu.readUInt16BE(at + 2) : 0);
    if (end > pdu.length) throw new GateFault("not-dicom", "an item longer than its PDU");
    items.push(pdu.subarray(at, end));
    at = end;
  }
  return items;
}

function isContext(item: Buffer): boolean {
  return item[0] === contextItem;
}

function idOf(item: Buffer): number {
  return item[itemHeaderBytes] ?? 0;
}
