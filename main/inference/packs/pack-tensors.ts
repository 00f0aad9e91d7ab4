type Shaped = { readonly shape: readonly number[] };

export type VotingPack = {
  readonly kind: string;
  readonly members: readonly unknown[];
  readonly heart?: { readonly outputs: readonly [Shaped, ...unknown[]] } | undefined;
};

/**
 * How many votes a pack has on a film: those of the networks that see the heart close, which have one together on a
 * photograph, or those of the members of a pack without any.
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
