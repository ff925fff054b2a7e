import type { EntityManager } from 'typeorm';

const ERASED = "The details were erased with the customer's data.";

/**
 * Erases messages from the print service and the store in holds, waits and comments, because they may repeat customer data. A hold's code,
 * field and remedy stay.
 */
export async function eraseQuotedMessages(
  manager: EntityManager,
  storefrontOrderIds: readonly string[],
): Promise<void> {
  await manager.query(
    `update holds set message = $2
     where storefront_order_id = any($1::bigint[]) and (print_order_id is not null or code = 'step_failing') and message <> $2`,
    [storefrontOrderIds, ERASED],
  );
  await manager.query(
    'update step_waits set words = null where storefront_order_id = any($1::bigint[]) and words is not null',
    [storefrontOrderIds],
  );
  await manager.query(
    `delete from service_comments c using print_orders p
     where p.id = c.print_order_id and p.storefront_order_id = any($1::bigint[])`,
    [storefrontOrderIds],
  );
}
