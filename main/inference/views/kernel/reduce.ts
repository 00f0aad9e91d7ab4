// AssemblyScript, as sample-view.ts, which tells how a film lies in memory: reducing a film by weights, and to half its
// size.

/**
 * Weighs rows of the film: 32-bit floating point, 0-255.
 *
 * @param row      address of the first row's first pixel
 * @param weights  address of `taps` floating-point numbers
 * @param mixed    address of `width` floating-point numbers; 12 bytes beyond them are written too
 */
export function weighRows(row: usize, width: i32, weights: usize, taps: i32, mixed: usize): void {
  const stride = width + 3;
  for (let column = 0; column < width; column += 4) {
    let sum = f32x4.splat(0);
    let pixels = row + column;
    for (let tap = 0; tap < taps; tap++, pixels += stride) {
      const levels = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(pixels)));
      sum = f32x4.add(sum, f32x4.mul(f32x4.convert_i32x4_u(levels), f32x4.splat(load<f32>(weights + (tap << 2)))));
    }
    v128.store(mixed + (column << 2), sum);
  }
}

/**
 * Weighs `taps` neighbours in a row for each of `count` places.
 *
 * @param row      address of floating-point numbers
 * @param firsts   address of each place's first neighbour, whole numbers of 32 bits
 * @param weights  address of `taps` floating-point numbers for each place; `taps` is divisible by four
 * @param out      address of `count` floating-point numbers
 */
export function weighColumns(row: usize, firsts: usize, weights: usize, taps: i32, count: i32, out: usize): void {
  for (let place = 0; place < count; place++) {
    let sum = f32x4.splat(0);
    const from = row + (load<i32>(firsts + (place << 2)) << 2);
    const by = weights + ((place * taps) << 2);
    for (let tap: usize = 0; tap < (<usize>taps) << 2; tap += 16)
      sum = f32x4.add(sum, f32x4.mul(v128.load(from + tap), v128.load(by + tap)));
    const all =
      f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
    store<f32>(out + (place << 2), all);
  }
}

/** Means of 2 x 2 pixels; an odd last row or column is left out. The border of `half` is left as it is. */
export function halve(film: usize, width: i32, height: i32, half: usize): void {
  const stride = width + 3;
  const halfWidth = width >> 1;
  for (let row = 0; row < height >> 1; row++) {
    const upper = film + (2 * row + 1) * stride + 1;
    const lower = upper + stride;
    const means = half + (row + 1) * (halfWidth + 3) + 1;
    let column = 0;
    for (; column + 8 <= halfWidth; column += 8) {
      const sums = i16x8.add(
        i16x8.extadd_pairwise_i8x16_u(v128.load(upper + 2 * column)),
        i16x8.extadd_pairwise_i8x16_u(v128.load(lower + 2 * column)),
      );
      const rounded = i16x8.shr_u(i16x8.add(sums, i16x8.splat(2)), 2);
      v128.store_lane<u64>(means + column, i8x16.narrow_i16x8_u(rounded, rounded), 0);
    }
    for (; column < halfWidth; column++) {
      const from = upper + 2 * column;
      const to = lower + 2 * column;
      store<u8>(means + column, (<u32>load<u8>(from) + load<u8>(from, 1) + load<u8>(to) + load<u8>(to, 1) + 2) >> 2);
    }
  }
}
