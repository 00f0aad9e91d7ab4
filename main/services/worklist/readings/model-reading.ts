import { randomUUID } from "node:crypto";
import type { RadiographMeasurement } from "../../../../core/cardiac/radiograph-measurement.ts";
import { appendReading } from "../../../store/films/readings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { detailOfMeasurement, storedDetail, valuesOfDetail } from "./reading-detail.ts";

export async function appendModelReading(
  context: DesktopContext,
  filmId: string,
  measurement: RadiographMeasurement,
): Promise<void> {
  const detail = detailOfMeasurement(measurement);
  await appendReading(context.db, {
    id: randomUUID(),
    filmId,
    source: "model",
    verdict: null,
    atMs: context.now().getTime(),
    who: null,
    remark: "",
    resultCode: measurement.resultCode,
    values: valuesOfDetail(detail),
    tier: measurement.kind === "measured" ? measurement.tier : null,
    detail: storedDetail(detail),
  });
}
