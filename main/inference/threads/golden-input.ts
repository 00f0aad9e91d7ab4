import { valueCount } from "../packs/pack-tensors.ts";

/**
 * The input whose output every pack states: a ramp along each row with noise from a linear congruential generator on
 * top, so that a network loaded wrongly, or run by a wrong kernel, gives itself away. The training code makes the same
 * one.
 *
 * @param shape  of the network's input; the last number is the row length
 * @returns      Float32Array, row-major, 0–1
 */
export function goldenInput(seed: number, shape: readonly number[]): Float32Array {
  const rowLength = shape.at(-1) ?? 1;
  const input = new Float32Array(valueCount(shape));
  let state = seed;
  for (let index = 0; index < input.length; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    input[index] = 0.5 * ((index % rowLength) / rowLength) + 0.5 * (state / 2 ** 32);
  }
  return input;
}
