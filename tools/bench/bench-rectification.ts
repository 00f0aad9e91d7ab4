import type { Corners } from "../../core/cardiac/points.ts";
import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import type { ColourPixels } from "../../main/imaging/decode-image.ts";
import { warpPerspective } from "../../main/imaging/rectify.ts";

/** Output megapixels of the perspective warp in a second of one core's time, on a 12-megapixel photograph. */
export async function benchRectification(): Promise<number> {
  const photo: ColourPixels = {
    widthPx: 4000,
    heightPx: 3000,
    channels: 3,
    data: Uint8Array.from({ length: 36_000_000 }, (_, index) => index * 7),
  };
  const corners: Corners = [
    { x: 310, y: 240 },
    { x: 3600, y: 420 },
    { x: 3450, y: 2800 },
    { x: 250, y: 2600 },
  ];
  const size = { widthPx: 3200, heightPx: 2400 };
  // The first pass compiles the loop.
  await warpPerspective(photo, corners, size);
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) times.push(await processorMs(() => warpPerspective(photo, corners, size)));
  return (size.widthPx * size.heightPx) / 1000 / median(times);
}

/** Time that all threads of this process spend on a piece of work [ms]: other programs on the machine do not count. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
