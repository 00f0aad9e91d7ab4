import { readFileSync } from "node:fs";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inOtherSize, type Point } from "../../../../core/cardiac/points.ts";
import { createAppResponder } from "../../../../main/ipc/app-responder.ts";
import { decodeImage } from "../../../../main/imaging/decode-image.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { measured } from "../../store/sample-store.ts";

type Screens = { images: { file: string; width: number; height: number; corners: [number, number][] }[] };
const screen = (JSON.parse(readFileSync("test/fixtures/screens/index.json", "utf8")) as Screens).images[0]!;
const bytes = readFileSync(`test/fixtures/screens/${screen.file}`);

let bench: DesktopBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

describe("a photograph of a screen on the worklist", () => {
  it("comes with the film taken out of it, as large as it is there, until it is measured as a direct film", async () => {
    const photo = await decodeImage(bytes);
    const full = { widthPx: screen.width, heightPx: screen.height };
    const corners: Point[] = screen.corners.map(([x, y]) => inOtherSize({ x, y }, full, photo));
    bench.engine.answers({ ...measured, popDetected: true, spread: null, corners }, measured);
    await bench.addFile(screen.file, bytes);
    await bench.desktop.parts.queue.whenIdle();
    const { films } = await bench.call("films.list", {});
    const [film] = films;
    const response = await createAppResponder(bench.desktop)(new Request(`corvet://app${film!.urls.rectified}`));
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    const [topLeft, topRight, , bottomLeft] = screen.corners as [
      [number, number],
      [number, number],
      [number, number],
      [number, number],
    ];
    const edge = (a: [number, number], b: [number, number]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
    expect(Math.abs(width - edge(topLeft, topRight)) / width).toBeLessThan(0.2);
    expect(Math.abs(height - edge(topLeft, bottomLeft)) / height).toBeLessThan(0.2);
    await bench.call("films.retry", { filmIds: [film!.id] });
    await bench.desktop.parts.queue.whenIdle();
    expect((await bench.call("films.get", { filmId: film!.id })).film.urls.rectified).toBeNull();
  });
});
