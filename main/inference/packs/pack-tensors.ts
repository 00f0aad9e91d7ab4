type Shaped = { readonly shape: readonly number[] };

export type VotingPack = {
  readonly kind: string;
  readonly members: readonly unknown[];
  readonly heart?: { readonly outputs: readonly [Shaped, ...unknown[]] } | undefined;
};

/**
 * Number of votes of a pack on a film: one for each heart network, or a single one on photographs; without heart
 * networks one for each member.
 */
export function votersOf({ kind, members, heart }: VotingPack): number {
  if (!heart) return members.length;
  return kind === "landmarks-pop" ? 1 : (heart.outputs[0].shape[0] as number);
}

/** Side of a network's square input [px]. */
export function inputSidePx({ input }: { readonly input: Shaped }): number {
  return input.shape.at(-1) as number;
}

export function valueCount(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
