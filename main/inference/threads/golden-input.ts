import { valueCount } from "../packs/pack-tensors.ts";

/**
 * Input whose output every pack states, row-major, 0–1: a ramp along each row of `shape` plus noise from a linear
 * congruential generator, so that a wrongly loaded network or a faulty kernel is detected. The training code generates
 * the same input.
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
