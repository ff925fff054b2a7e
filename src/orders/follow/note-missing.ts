import { IsNull, type EntityManager } from 'typeorm';
import { Holds } from '../../database/orders.ts';
import type { HoldCode } from '../hold-codes.ts';
import { openHold } from '../hold-print-order.ts';
import type { SubmitScope } from '../submit/submit-scope.ts';
import { writeTimeline } from '../write-timeline.ts';

const CODE: HoldCode = 'order_missing';

/** An order that was taken and is not shown after the quiet time: a person looks for it. Its state stays, and it is asked for again. */
export async function noteMissing({ app, printOrder }: SubmitScope): Promise<void> {
  const quietMs = app.config.print.submitQuietSeconds * 1000;
  const { confirmedAt, id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  if (confirmedAt === null || app.now().getTime() - confirmedAt.getTime() < quietMs) return;
  const message = `The print service took ${reference} and does not show it.`;
  await app.db.transaction(async (manager) => {
    if (await manager.existsBy(Holds, { printOrderId, code: CODE, resolvedAt: IsNull() })) return;
    await openHold(manager, printOrder, { code: CODE, field: null, message });
    const entry = { shopId, storefrontOrderId, printOrderId, kind: 'held', data: { code: CODE } };
    await writeTimeline(manager, { ...entry, message: `${reference} is held: ${message}` });
  });
}

/** It is shown after all: late evidence wins. */
export async function resolveMissing({ app, printOrder }: SubmitScope, manager: EntityManager): Promise<void> {
  const open = { printOrderId: printOrder.id, code: CODE, resolvedAt: IsNull() };
  await manager.update(Holds, open, { resolvedAt: app.now() });
}
