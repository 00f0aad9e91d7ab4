import type { NextOrder, Order } from "../../../../core/contract/desktop/network/orders.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { getNextOrder, saveTakenOrder } from "./taken-orders.ts";
import { patientOfOrder } from "./practice-patient.ts";

/** @throws AppError as `patientOfOrder` */
export async function takeOrder(context: DesktopContext, order: Order): Promise<NextOrder> {
  await saveTakenOrder(context, order, await patientOfOrder(context, order));
  return (await getNextOrder(context)) as NextOrder;
}
