export type SlotHolder = {
  readonly address: string;
  isSilent(): boolean;
  evict(): void;
};

export type ConnectionSlots = {
  /** Takes a free slot, else that of the oldest silent connection of the address with most; false if there is none. */
  take(holder: SlotHolder): boolean;
  free(holder: SlotHolder): void;
};

export function createConnectionSlots(most: number): ConnectionSlots {
  /** In order of arrival. */
  const holders = new Set<SlotHolder>();
  return {
    take(holder) {
      const evicted = holders.size < most ? null : nextToEvict([...holders]);
      if (holders.size >= most && evicted === null) return false;
      if (evicted) holders.delete(evicted);
      evicted?.evict();
      holders.add(holder);
      return true;
    },
    free: (holder) => void holders.delete(holder),
  };
}

function nextToEvict(holders: readonly SlotHolder[]): SlotHolder | null {
  const silent = holders.filter((holder) => holder.isSilent());
  const countOf = ({ address }: SlotHolder) => silent.filter((other) => other.address === address).length;
  return silent.reduce<SlotHolder | null>(
    (found, holder) => (found === null || countOf(holder) > countOf(found) ? holder : found),
    null,
  );
}
