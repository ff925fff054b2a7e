import type { EntityManager } from 'typeorm';
import { TimelineEntries } from '../../../database/entities/orders.ts';
import type { ProductionLogLine } from '../../../print/port.ts';
import type { SubmitScope } from '../../submit/submit-scope.ts';
import { writeTimeline } from '../../record/write-timeline.ts';
import { truncateText } from '../../../truncate-text.ts';

/** Maximum number of log lines per print order in the timeline, and of characters per line. */
const MAX_LINES = 200;
const MAX_MESSAGE = 300;

/** Adds the production log lines that the earlier interfaces report to the order's timeline, once each. */
export async function receiveProductionLog(
  { printOrder }: SubmitScope,
  manager: EntityManager,
  lines: readonly ProductionLogLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const { shopId, storefrontOrderId, id: printOrderId } = printOrder;
  const kind = 'production_log';
  const known = await manager.findBy(TimelineEntries, { printOrderId, kind });
  const keyOf = ({ itemReferenceId, date, printJobId, message }: Record<string, unknown>): string =>
    JSON.stringify([itemReferenceId, date, printJobId, message]);
  const seen = new Set(known.map(({ data }) => keyOf(data)));
  const oldestFirst = lines.toSorted((one, other) => (one.date ?? '').localeCompare(other.date ?? ''));
  for (const { itemReferenceId, date, printJobId, message: reported } of oldestFirst) {
    const message = truncateText(reported ?? '', MAX_MESSAGE).trim();
    const data = { itemReferenceId, date, printJobId, message };
    if (message === '' || seen.size >= MAX_LINES || seen.has(keyOf(data))) continue;
    seen.add(keyOf(data));
    const entry = { shopId, storefrontOrderId, printOrderId, kind, message: `Production: ${message}`, data };
    await writeTimeline(manager, { ...entry, by: 'print service' });
  }
}
