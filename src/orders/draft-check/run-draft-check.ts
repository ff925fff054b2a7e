import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError, PlatenError } from '../../errors.ts';
import { PrintServiceError } from '../../print/errors.ts';
import type { PortOrder } from '../../print/port.ts';
import { isDraft } from '../facts/found-orders.ts';
import { chooseShipping } from '../quote/choose-shipping.ts';
import { findQuoteFault } from '../quote/find-quote-fault.ts';
import { toShippingPolicy } from '../quote/to-shipping-preference.ts';
import { describeFailure, formatServiceMessage } from '../waits/describe-failure.ts';
import { deleteLeftoverDrafts } from './delete-check-drafts.ts';
import { withCheckLock } from './with-check-lock.ts';
import { openDraftCheck, type DraftCheckChoice, type OpenDraftCheck } from './open-draft-check.ts';
import { removeCheckDraft, type RemainingAtService } from './remove-check-draft.ts';
import type { Clock } from '../../clock.ts';

/** The steps, in the order in which they run. `leftovers`: deletes drafts of earlier checks. */
const STEPS = ['leftovers', 'quote', 'create', 'read', 'delete'] as const;
type StepName = (typeof STEPS)[number];
/** The action of each step, as named in the step's error message. */
const DOING: Record<StepName, string> = {
  leftovers: 'search for drafts of earlier checks',
  quote: 'request the price and shipping',
  create: 'create the draft',
  read: 'read the draft',
  delete: 'delete the draft',
};
/** A new draft may not be visible yet. */
const READ_PAUSES_MS: readonly number[] = [0, 1_000, 2_000, 4_000];

/** One step of a check. */
export interface CheckStep {
  name: StepName;
  result: 'passed' | 'failed' | 'skipped';
  milliseconds: number;
  /** The reason for a failure, or the findings of the step. */
  message: string | null;
}

/** The result of a check. */
export interface DraftCheck {
  shop: string;
  reference: string;
  productUid: string;
  steps: CheckStep[];
  left: RemainingAtService;
  /** The remedy for a draft or order that may remain, or null. */
  remedy: string | null;
}

/** A step of the check failed, although the print service responded. */
class CheckFailedError extends PlatenError {
  constructor(message: string) {
    super('check_failed', message);
  }
}

/**
 * Requests a quote from the real print service, creates a draft, reads it and deletes it. The service does not print or charge a draft
 * unless it is confirmed. A failed step does not throw. Instead, the result names it. The draft is deleted even if a step fails. Throws
 * NotPossibleError and InvalidInputError if the check does not begin.
 */
export async function runDraftCheck(
  app: App,
  shop: Shop,
  choice: DraftCheckChoice & { pausesMs?: readonly number[] } = {},
): Promise<DraftCheck> {
  const check = await openDraftCheck(app, shop, choice);
  const result = await withCheckLock(app, shop, () => runSteps(app, shop, check, choice.pausesMs));
  if (result === null)
    throw new NotPossibleError('check_running', `Another process is checking ${shop.domain}. Wait until it is done.`);
  return result;
}

async function runSteps(
  app: App,
  shop: Shop,
  check: OpenDraftCheck,
  pausesMs: readonly number[] | undefined,
): Promise<DraftCheck> {
  const steps: CheckStep[] = [];
  const step = <Value>(name: StepName, act: () => Promise<Value>): Promise<Value | null> =>
    runStep(app.clock, steps, name, act);
  const { reference, link } = check;
  await step('leftovers', () => deleteLeftoverDrafts(app, check.port, reference));
  const method = await step('quote', () => requestMethod(app, shop, check));
  const created = await createDraft(step, check, method);
  const shown = await step('read', () => readDraft(app.clock, check, created.id ?? '', pausesMs ?? READ_PAUSES_MS));
  let left: RemainingAtService = 'none';
  if (created.mayExist) {
    const at = app.clock.ticks();
    const draft = { id: created.id, isSeen: shown !== null };
    const removed = await removeCheckDraft(app.clock, check, draft, pausesMs);
    ({ left } = removed);
    const milliseconds = app.clock.ticks() - at;
    const message = removed.error === null ? describeRemaining(left) : describeError(removed.error, 'delete');
    steps.push({ name: 'delete', result: left === 'deleted' ? 'passed' : 'failed', milliseconds, message });
  } else steps.push(skipped('delete'));
  return { shop: shop.domain, reference, productUid: link.productUid, steps, left, remedy: toRemedy(left, reference) };
}

/** Runs and times a step, unless an earlier step failed. Returns null if the step failed or was skipped. */
async function runStep<Value>(
  clock: Clock,
  steps: CheckStep[],
  name: StepName,
  act: () => Promise<Value>,
): Promise<Value | null> {
  if (steps.some(({ result }) => result === 'failed')) {
    steps.push(skipped(name));
    return null;
  }
  const at = clock.ticks();
  try {
    const value = await act();
    steps.push({ name, result: 'passed', milliseconds: clock.ticks() - at, message: describeValue(name, value) });
    return value;
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const message = describeError(error, name);
    steps.push({ name, result: 'failed', milliseconds: clock.ticks() - at, message });
    return null;
  }
}

const skipped = (name: StepName): CheckStep => ({ name, result: 'skipped', milliseconds: 0, message: null });

function describeValue(name: StepName, value: unknown): string | null {
  if (name === 'leftovers' && value !== 0) return `Drafts of earlier checks that were deleted: ${String(value)}.`;
  return name === 'quote' ? `Shipping method: ${String(value)}.` : null;
}

/** Requests a quote and chooses a shipping method, as Platen does for an order. */
async function requestMethod(app: App, shop: Shop, { port, quote, settings, link }: OpenDraftCheck): Promise<string> {
  const quotes = await port.quote(quote);
  const products = [{ sku: link.sku, productUid: link.productUid, tags: [] }];
  const { country } = quote.recipient;
  const wish = { shippingLines: [], country, isBusiness: false, products, settled: null };
  const methods = quotes.map(({ shipmentMethods }) => shipmentMethods);
  const choice = chooseShipping(methods, wish, toShippingPolicy(settings, shop, app.clock.now()));
  const { allowMultipleQuotes } = settings;
  const fault = findQuoteFault(app, { quotes, choice, lines: quote.products, allowMultipleQuotes });
  const [method] = choice.methods;
  if (fault || !method) throw new CheckFailedError(fault?.message ?? 'The print service offers no shipping method.');
  return method.shipmentMethodUid;
}

/** Creates the draft. `mayExist` is false only if it is certain that the service created nothing. */
async function createDraft(
  step: <Value>(name: StepName, act: () => Promise<Value>) => Promise<Value | null>,
  { port, toBody }: OpenDraftCheck,
  method: string | null,
): Promise<{ id: string | null; mayExist: boolean }> {
  const created: { id: string | null; mayExist: boolean } = { id: null, mayExist: false };
  await step('create', async () => {
    created.mayExist = true;
    let order: PortOrder;
    try {
      order = await port.create(toBody(method ?? ''), { orderType: 'draft' });
    } catch (error) {
      if (error instanceof PrintServiceError && error.effect === 'none') created.mayExist = false;
      throw error;
    }
    created.id = order.id;
    refuseConfirmedOrder(order);
  });
  return created;
}

/** Reads the draft and checks that it has the check's reference and exactly one unit of the link's product. */
async function readDraft(
  clock: Clock,
  { status, reference, link }: OpenDraftCheck,
  id: string,
  pausesMs: readonly number[],
): Promise<PortOrder> {
  const order = await readWithRetries(clock, () => status(id), pausesMs);
  refuseConfirmedOrder(order);
  const [item, ...more] = order.items;
  const isSame = more.length === 0 && item?.productUid === link.productUid && item.quantity === 1;
  if (order.orderReferenceId !== reference || !isSame)
    throw new CheckFailedError('The draft at the print service differs from what Platen sent.');
  return order;
}

async function readWithRetries<Answer>(
  clock: Clock,
  read: () => Promise<Answer>,
  pausesMs: readonly number[],
): Promise<Answer> {
  for (const [index, pauseMs] of pausesMs.entries()) {
    await clock.sleep(pauseMs);
    try {
      return await read();
    } catch (error) {
      const isMissing = error instanceof PrintServiceError && error.outcome === 'not_found';
      if (!isMissing || index === pausesMs.length - 1) throw error;
    }
  }
  return read();
}

function refuseConfirmedOrder(order: PortOrder): void {
  if (!isDraft(order))
    throw new CheckFailedError('The print service has created an order instead of a draft. Platen cancels the order.');
}

function describeError(error: PlatenError, name: StepName): string {
  if (!(error instanceof PrintServiceError)) return error.message;
  // The service's message about a refused key may repeat the key.
  if (error.outcome === 'account_refused') return "The print service does not accept the shop's key.";
  const words = error.outcome === 'refused' ? formatServiceMessage(error) : null;
  return describeFailure(error, DOING[name]) + (words === null ? '' : ` It says: ${words}`);
}

function describeRemaining(left: RemainingAtService): string | null {
  if (left === 'deleted' || left === 'none') return null;
  if (left === 'canceled') return 'The print service had an order in place of the draft. Platen canceled it.';
  return left === 'order' ? 'The print service has an order in place of the draft.' : 'The draft was not found.';
}

/** Returns the remedy for a draft or order that may remain at the service, or null. */
function toRemedy(left: RemainingAtService, reference: string): string | null {
  if (left === 'order')
    return `Cancel the order ${reference} in the print service's dashboard now. Otherwise, it is printed and charged.`;
  if (left === 'canceled')
    return `Check in the print service's dashboard that the order ${reference} is canceled. The account does not create drafts, so do not check it again.`;
  if (left !== 'unknown') return null;
  return `A draft ${reference} may still exist at the print service. A draft is never printed or charged. To delete it, run the check again later, or use the print service's dashboard.`;
}
