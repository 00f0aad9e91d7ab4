/** State of a charged response until the store contains its outcome. */
type DeliveryState =
  /** The charge has been started; the response has neither left nor failed. */
  | "begun"
  /** The outcome could not be written yet. `unbilled`: the response reports no charge, but one may exist. */
  | "delivered"
  | "lost"
  | "unbilled";

/** Responses of this process by call id, in memory only; after a restart, the store still has the open charges. */
export type Deliveries = {
  readonly states: Map<string, DeliveryState>;
  /** Calls whose responses left in this turn of the event loop, confirmed in one transaction; null without any. */
  leaving: { readonly callIds: string[]; readonly confirmed: Promise<void> } | null;
};

export function createDeliveries(): Deliveries {
  return { states: new Map(), leaving: null };
}
