// AssemblyScript, four or eight pixels at once with WebAssembly's vector instructions: the loop over pixels in which a
// view of a film spends its time. `npm run kernel` compiles this file and reduce.ts to film-views.wasm beside them;
// film-kernel.ts is the only one that calls it.
//
// A film lies in memory with a border of black: rows of `width + 3` bytes, `height + 3` rows, its top left pixel at row
// 1, column 1.

/**
 * Coordinates are whole numbers of 1/65536 px, weights of 1/256: twice as fast as floating point, and off by less than
 * two thousandths of the range.
 */
const one: f64 = 65536;

/**
 * Samples a view: bilinear, `grid` x `grid` samples for each of its pixels, black outside the film.
 * Place of the view's pixel (column, row) [film px] = origin + column * right + row * down.
 *
 * @param film     address of the film's border
 * @param view     address of `side` x `side` numbers of 32 bits: filled with values 0-1; 12 bytes beyond it are written
 * too
 * @param scratch  address of `width + 10` numbers of 32 bits
 * @param grid     1-11: more would not fit into the sums
 */
export function sampleView(
  film: usize,
  width: i32,
  height: i32,
  view: usize,
  scratch: usize,
  side: i32,
  grid: i32,
  originX: f64,
  originY: f64,
  rightX: f64,
  rightY: f64,
  downX: f64,
  downY: f64,
): void {
  const isUpright = rightY == 0 && downX == 0;
  const between = 1 / <f64>grid;
  const share = f32x4.splat(<f32>(1 / (255 * one * <f64>(grid * grid))));
  const rowBytes = (<usize>side) << 2;
  for (let row = 0, start = view; row < side; row++, start += rowBytes) {
    const end = start + rowBytes;
    memory.fill(start, 0, rowBytes);
    if (isUpright)
      addUprightRow(film, width, height, scratch, <f64>row, between, originX, originY, rightX, downY, start, end);
    else
      addTurnedRow(film, width, height, <f64>row, between, originX, originY, rightX, rightY, downX, downY, start, end);
    for (let sums = start; sums < end; sums += 16)
      v128.store(sums, f32x4.mul(f32x4.convert_i32x4_s(v128.load(sums)), share));
  }
}

/**
 * Adds all samples of one row of a view, each mixed of four pixels of the film.
 *
 * @param between  from one sample to the next [pixels of the view]
 * @param start    address of the row's sums, a number of 32 bits for each pixel, in units of 1/65536; they end at `end`
 */
function addTurnedRow(
  film: usize,
  width: i32,
  height: i32,
  row: f64,
  between: f64,
  originX: f64,
  originY: f64,
  rightX: f64,
  rightY: f64,
  downX: f64,
  downY: f64,
  start: usize,
  end: usize,
): void {
  for (let down = between / 2 - 0.5; down < 0.5; down += between) {
    for (let right = between / 2 - 0.5; right < 0.5; right += between) {
      const x = originX + (row + down) * downX + right * rightX;
      const y = originY + (row + down) * downY + right * rightY;
      addTurnedSample(film, width, height, x, y, rightX, rightY, start, end);
    }
  }
}

/**
 * The same for a view whose rows lie along the film's: the film's rows are mixed first, then their pixels, which takes
 * half the time.
 */
function addUprightRow(
  film: usize,
  width: i32,
  height: i32,
  scratch: usize,
  row: f64,
  between: f64,
  originX: f64,
  originY: f64,
  rightX: f64,
  downY: f64,
  start: usize,
  end: usize,
): void {
  memory.fill(scratch, 0, (<usize>width + 10) << 2);
  for (let down = between / 2 - 0.5; down < 0.5; down += between)
    addMixedRow(film, width, height, originY + (row + down) * downY, scratch);
  for (let right = between / 2 - 0.5; right < 0.5; right += between)
    addUprightSample(scratch, width, originX + right * rightX, rightX, start, end);
}

/** Adds one sample to each of the row's pixels. */
function addTurnedSample(
  film: usize,
  width: i32,
  height: i32,
  startX: f64,
  startY: f64,
  rightX: f64,
  rightY: f64,
  start: usize,
  end: usize,
): void {
  const columns = <f64>((end - start) >> 2);
  if (isBeside(startX, startX + columns * rightX, width) || isBeside(startY, startY + columns * rightY, height)) return;
  const stepX = <i32>Math.round(rightX * one);
  const stepY = <i32>Math.round(rightY * one);
  const fourStepsX = i32x4.splat(4 * stepX);
  const fourStepsY = i32x4.splat(4 * stepY);
  const stride = width + 3;
  let x = firstFour(startX, stepX);
  let y = firstFour(startY, stepY);
  for (let sums = start; sums < end; sums += 16, x = i32x4.add(x, fourStepsX), y = i32x4.add(y, fourStepsY)) {
    v128.store(sums, i32x4.add(v128.load(sums), bilinear(film, stride, within(x, width), within(y, height))));
  }
}

/**
 * Adds a row that lies between two of the film, mixed of both, to `sums`: one number for each column of the film and
 * its border, in units of 1/256.
 */
function addMixedRow(film: usize, width: i32, height: i32, place: f64, sums: usize): void {
  if (isBeside(place, place, height)) return;
  const stride = width + 3;
  const y = i32x4.extract_lane(within(firstFour(place, 0), height), 0);
  const upper = film + (y >> 16) * stride;
  const lower = upper + stride;
  const share = i16x8.splat(<i16>((y >> 8) & 0xff));
  for (let column = 0; column < stride; column += 8) {
    const above = v128.load_ext<u8>(upper + column);
    const mixed = i16x8.add(i16x8.shl(above, 8), i16x8.mul(i16x8.sub(v128.load_ext<u8>(lower + column), above), share));
    const at = sums + (column << 2);
    v128.store(at, i32x4.add(v128.load(at), i32x4.extend_low_i16x8_u(mixed)));
    v128.store(at, i32x4.add(v128.load(at, 16), i32x4.extend_high_i16x8_u(mixed)), 16);
  }
}

/** Adds one sample out of the mixed rows to each of the row's pixels. */
function addUprightSample(row: usize, width: i32, startX: f64, rightX: f64, start: usize, end: usize): void {
  const stepX = <i32>Math.round(rightX * one);
  const fourSteps = i32x4.splat(4 * stepX);
  let x = firstFour(startX, stepX);
  for (let sums = start; sums < end; sums += 16, x = i32x4.add(x, fourSteps)) {
    const inside = within(x, width);
    const places = i32x4.shl(i32x4.shr_u(inside, 16), 2);
    const firstTwo = v128.load_lane<u64>(
      row + i32x4.extract_lane(places, 1),
      v128.load64_zero(row + i32x4.extract_lane(places, 0)),
      1,
    );
    const lastTwo = v128.load_lane<u64>(
      row + i32x4.extract_lane(places, 3),
      v128.load64_zero(row + i32x4.extract_lane(places, 2)),
      1,
    );
    const left = v128.shuffle<i32>(firstTwo, lastTwo, 0, 2, 4, 6);
    const right = v128.shuffle<i32>(firstTwo, lastTwo, 1, 3, 5, 7);
    const level = i32x4.add(i32x4.shl(left, 8), i32x4.mul(i32x4.sub(right, left), weight(inside)));
    v128.store(sums, i32x4.add(v128.load(sums), level));
  }
}

/** Whether everything from one coordinate to another lies on one side of the film. */
function isBeside(start: f64, end: f64, length: i32): bool {
  return Math.max(start, end) <= -1 || Math.min(start, end) >= <f64>length;
}

/**
 * Coordinates of a row's first four samples, the border counted; half of 1/256 more, because weights are cut off to
 * 1/256.
 */
function firstFour(start: f64, step: i32): v128 {
  const first = <i32>Math.round((start + 1) * one) + 128;
  return i32x4(first, first + step, first + 2 * step, first + 3 * step);
}

/** What lies outside goes on the border. */
function within(place: v128, length: i32): v128 {
  return i32x4.min_s(i32x4.max_s(place, i32x4.splat(0)), i32x4.splat((length + 1) << 16));
}

/**
 * Values at four places, in units of 1/65536. Both rows of neighbours are mixed by one multiplication, as halves of a
 * lane. Parts of a lane are taken out by shifts, since the engine makes a mask anew each time.
 */
function bilinear(film: usize, stride: i32, x: v128, y: v128): v128 {
  const four = neighbours(
    film,
    stride,
    i32x4.add(i32x4.mul(i32x4.shr_u(y, 16), i32x4.splat(stride)), i32x4.shr_u(x, 16)),
  );
  const left256 = i16x8.shl(four, 8);
  const left = i16x8.shr_u(left256, 8);
  const right = i16x8.shr_u(four, 8);
  const weightX = weight(x);
  const mixed = i16x8.add(left256, i16x8.mul(i16x8.sub(right, left), v128.or(weightX, i32x4.shl(weightX, 16))));
  const upperHigh = i32x4.shl(mixed, 16);
  const upper = i32x4.shr_u(upperHigh, 16);
  const lower = i32x4.shr_u(mixed, 16);
  return i32x4.add(i32x4.shr_u(upperHigh, 8), i32x4.mul(i32x4.sub(lower, upper), weight(y)));
}

/**
 * For each of four places its pixel and the three right of and below it: two neighbouring pixels are read at once as
 * one 16-bit number.
 */
function neighbours(film: usize, stride: i32, places: v128): v128 {
  const first = film + i32x4.extract_lane(places, 0);
  const second = film + i32x4.extract_lane(places, 1);
  const third = film + i32x4.extract_lane(places, 2);
  const fourth = film + i32x4.extract_lane(places, 3);
  let four = i32x4.splat(0);
  four = v128.load_lane<u16>(first, four, 0);
  four = v128.load_lane<u16>(first + stride, four, 1);
  four = v128.load_lane<u16>(second, four, 2);
  four = v128.load_lane<u16>(second + stride, four, 3);
  four = v128.load_lane<u16>(third, four, 4);
  four = v128.load_lane<u16>(third + stride, four, 5);
  four = v128.load_lane<u16>(fourth, four, 6);
  return v128.load_lane<u16>(fourth + stride, four, 7);
}

/** How far on a place lies from its pixel to the next [1/256 px]. */
function weight(place: v128): v128 {
  return i32x4.shr_u(i32x4.shl(place, 16), 24);
}
