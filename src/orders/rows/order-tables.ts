import type { EntitySchema, ObjectLiteral } from 'typeorm';
import { OrderSales } from '../../database/entities/costs.ts';
import { Deliveries } from '../../database/entities/deliveries.ts';
import { Holds, OrderLines, StorefrontOrders } from '../../database/entities/orders.ts';
import { Fulfillments, PackageItems, Packages } from '../../database/entities/packages.ts';
import {
  Deviations,
  PrintOrderLines,
  PrintOrders,
  ServiceComments,
  ServiceOrders,
  SubmitAttempts,
} from '../../database/entities/print-orders.ts';
import { StepWaits } from '../../database/entities/step-waits.ts';

/** A table whose rows belong to one storefront order. */
export interface OrderTable {
  entity: EntitySchema<ObjectLiteral>;
  /** SQL: which rows `t` belong to the storefront order `$1`. */
  where: string;
  /** The property that refers to the owner, and the owner's table (`of`, null if the owner is the storefront order). */
  owner: { property: string; of: EntitySchema<ObjectLiteral> | null };
  /** Columns that identify a row. */
  key: readonly string[];
}

const toSchema = (entity: unknown): EntitySchema<ObjectLiteral> => entity as EntitySchema<ObjectLiteral>;

const perOrder = (entity: unknown, more: Partial<OrderTable> = {}): OrderTable => ({
  entity: toSchema(entity),
  where: 't.storefront_order_id = $1',
  owner: { property: 'storefrontOrderId', of: null },
  key: ['id'],
  ...more,
});

const perPrintOrder = (entity: unknown, more: Partial<OrderTable> = {}): OrderTable => ({
  entity: toSchema(entity),
  where: 't.print_order_id in (select id from print_orders where storefront_order_id = $1)',
  owner: { property: 'printOrderId', of: toSchema(PrintOrders) },
  key: ['id'],
  ...more,
});

/** Maximum number of events that are read with each print order, oldest first. */
export const MAX_EVENTS = 20;

/** All tables that are read with an order, with owners before the rows they own. */
export const ORDER_TABLES: readonly OrderTable[] = [
  {
    entity: toSchema(StorefrontOrders),
    where: 't.id = $1',
    owner: { property: 'id', of: null },
    key: ['id'],
  },
  perOrder(OrderLines, { key: ['storefrontOrderId', 'shopifyLineItemId'] }),
  perOrder(PrintOrders),
  perPrintOrder(PrintOrderLines),
  perPrintOrder(Deviations, { key: ['printOrderId'] }),
  perPrintOrder(SubmitAttempts),
  perPrintOrder(ServiceOrders),
  perPrintOrder(ServiceComments, { key: ['printOrderId', 'itemReferenceId'] }),
  perPrintOrder(Packages),
  {
    entity: toSchema(PackageItems),
    where:
      't.package_id in (select k.id from packages k join print_orders p on p.id = k.print_order_id where p.storefront_order_id = $1)',
    owner: { property: 'packageId', of: toSchema(Packages) },
    key: ['packageId', 'itemReferenceId'],
  },
  perOrder(Fulfillments),
  perOrder(Holds),
  perOrder(StepWaits),
  perOrder(OrderSales, { key: ['storefrontOrderId'] }),
  // The events that a print order's next reading handles.
  perPrintOrder(Deliveries, {
    where: `t.id in (select d.id from print_orders p cross join lateral (select id from deliveries
      where print_order_id = p.id and handled_at is null order by id limit ${MAX_EVENTS}) d where p.storefront_order_id = $1)`,
  }),
];
