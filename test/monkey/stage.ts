import { startPlaten, type Platen } from '../helpers/platen.ts';
import { toAddressOf } from '../chaos/orders/addresses.ts';
import { createShiftedDatabase, mockClock, type Clock } from './clock.ts';
import { openLedger } from './judge/ledger.ts';
import type { Play, Way } from './plan-play.ts';
import { readStore } from './judge/read-books.ts';
import { until, type Scene } from './scene.ts';

/** A separate Platen with both stand-ins and a clock that can be advanced. */
export interface Stage {
  platen: Platen;
  clock: Clock;
  close: () => Promise<void>;
}

/** The timeout is long enough for a busy machine, so that calls fail only because of injected faults. */
const ENVIRONMENT = { PRINT_TIMEOUT_SECONDS: '20' };

/**
 * Opens a shop that submits its orders as `Way` describes. The SKUs in `atMerchant` are stocked at the merchant's location. Tests do not
 * need `serverUrl`.
 */
export async function openStage(
  { extended, settings }: Way,
  { atMerchant, serverUrl }: { atMerchant: readonly string[]; serverUrl?: string | undefined },
): Promise<Stage> {
  const clock = mockClock();
  await using opened = new AsyncDisposableStack();
  opened.defer(() => clock.restore());
  const database = await createShiftedDatabase(serverUrl);
  const platen = await startPlaten({
    time: 'real',
    advanceSeconds: null,
    extended,
    settings,
    database,
    environment: ENVIRONMENT,
  });
  opened.defer(() => platen.stop());
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  for (const { variantId } of variants.filter(({ sku }) => atMerchant.includes(sku)))
    await platen.control('store', 'POST', `/variants/${encodeURIComponent(variantId)}/stock`, { location: 'own' });
  const kept = opened.move();
  return { platen, clock, close: () => kept.disposeAsync() };
}

/** Places the order of a play. Resolves when the store has routed the order to a location. */
export async function placeOrder(
  { platen, clock }: Stage,
  { cart, isPaid, way }: Play,
  { overlaps = false } = {},
): Promise<Scene> {
  const shippingAddress = toAddressOf('US', 'Buyer');
  const financialStatus = isPaid ? 'paid' : 'pending';
  const { id, name } = await platen.placeSkus(cart, { shippingAddress, financialStatus });
  const ledger = openLedger({ overlaps });
  const scene: Scene = { platen, clock, order: { id, name }, ledger, showsItems: way.extended };
  await until(async () => {
    const { fulfillmentOrders } = await readStore(scene);
    return fulfillmentOrders.length > 0 ? fulfillmentOrders : null;
  }, 'The routing of the order');
  return scene;
}
