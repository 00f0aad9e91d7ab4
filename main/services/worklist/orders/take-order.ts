import type { NextOrder, Order } from "../../../../core/contract/desktop/orders.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { getNextOrder, keepTaken } from "./taken-orders.ts";
import { patientOfOrder } from "./told-patient.ts";

/** Takes an order over with its patient; it is the next picture's. @throws AppError as `patientOfOrder` */
export function takeOrder(context: DesktopContext, order: Order): NextOrder {
  keepTaken(context, order, patientOfOrder(context, order));
  return getNextOrder(context) as NextOrder;
}
