import { IsNull, Not } from 'typeorm';
import type { Jsonified } from '../../json-of.ts';
import type { App } from '../../../app.ts';
import { PrintOrders } from '../../../database/entities/print-orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { showHolds, type OrderHold } from '../../../orders/manual-actions/show-holds.ts';
import { readMeters, type Meters } from '../../../orders/lists/read-meters.ts';
import { readOverview, type OrdersOverview } from '../../../orders/lists/read-overview.ts';
import { readRebuildProgress, type RebuildProgress } from '../../../orders/rebuild/plan-unreconciled-orders.ts';
import { countUnlinkedVariants, type UnlinkedPage } from '../../../orders/unlinked/list-unlinked-variants.ts';
import { listWaitingOrders, type WaitingOrders } from '../../../orders/waits/list-waiting-orders.ts';
import { describeRatesProblem } from '../../../rates/rates-problems.ts';
import { readQuietUntil } from '../../../shops/print-account/read-quiet-until.ts';
import { findShop } from '../../../shops/find-shop.ts';
import { readConnections, type Connections } from '../../../shops/read-connections.ts';
import { showSettings } from '../../../shops/settings/settings.ts';

/** Everything that the home page shows. Contains no secrets or personal data. */
export interface HomeData extends Omit<OrdersOverview, 'holds'>, Meters {
  /** Open holds, grouped by code, each with the oldest hold. The code with the oldest open hold comes first. */
  holds: { code: string; orders: number; since: string; oldest: OrderHold & { orderId: string; name: string } }[];
  /** The end of the quiet time after a restore, during which no order is sent to print. Null outside a quiet time. */
  quietUntil: string | null;
  /** How many orders have been rebuilt since a restore. Null once all orders are rebuilt. */
  rebuild: RebuildProgress | null;
  guide: {
    isDismissed: boolean;
    hasKey: boolean;
    hasAddress: boolean;
    hasLink: boolean;
    hasRules: boolean;
    hasOrder: boolean;
  };
  /** When the last successful polls of the store's orders and of the print service's orders ended. Null before the first success. */
  polledAt: { store: string | null; print: string | null };
  /** The last characters of the saved key. Empty if they would reveal too much. Null if no key is saved. */
  keyLast4: string | null;
  connections: Jsonified<Connections>;
  /** Why shipping prices cannot be offered at checkout, or null. */
  ratesProblem: { says: string; message: string; steps: string } | null;
  waiting: WaitingOrders;
  unlinked: UnlinkedPage['orders'];
}

/** Once the merchant has saved one of these settings, the guide's step about sending and shipping orders is complete. */
const RULE_SETTINGS = ['release', 'delayMinutes', 'approvalRules', 'shippingRules'] as const;

/** Reads the home page's data from the database, without calling the store or the print service. */
export async function readHome(app: App, shop: Shop): Promise<HomeData> {
  const connections = await readConnections(app, shop);
  const { printKey } = await showSettings(app, shop);
  const unlinked = await countUnlinkedVariants(app, shop);
  const { settings: kept, guideDismissedAt } = await findShop(app, shop.id);
  const quietUntil = await readQuietUntil(app, shop);
  const [linked]: { one: boolean }[] = await app.db.query(
    'select true as one from print_links where shop_id = $1 limit 1',
    [shop.id],
  );
  const hasOrder = await app.db.manager.existsBy(PrintOrders, { shopId: shop.id, confirmedAt: Not(IsNull()) });
  const [overview, meters] = await Promise.all([readOverview(app, shop), readMeters(app, shop)]);
  const problem = connections.rates && describeRatesProblem(connections.rates.problem);
  return {
    ...overview,
    holds: await readOldestHolds(app, shop, overview.holds),
    ...meters,
    quietUntil: quietUntil?.toISOString() ?? null,
    rebuild: await readRebuildProgress(app, shop),
    polledAt: await readPolledAt(app, shop),
    guide: {
      isDismissed: guideDismissedAt !== null,
      hasKey: connections.printAccount !== null,
      hasAddress: connections.printAddressMadeAt !== null,
      hasLink: linked !== undefined,
      hasRules: RULE_SETTINGS.some((name) => name in kept),
      hasOrder,
    },
    keyLast4: printKey?.last4 ?? null,
    connections: JSON.parse(JSON.stringify(connections)) as Jsonified<Connections>,
    ratesProblem: problem ?? null,
    waiting: await listWaitingOrders(app, shop),
    unlinked,
  };
}

/** Adds the oldest hold to each group. Leaves out a group whose hold has ended since the overview was read. */
async function readOldestHolds({ db }: App, shop: Shop, groups: OrdersOverview['holds']): Promise<HomeData['holds']> {
  const ids = [...new Set(groups.map(({ storefrontOrderId }) => storefrontOrderId))];
  const shown = await showHolds(db.manager, shop, ids);
  return groups.flatMap(({ code, orders, since, storefrontOrderId, orderId, name }) => {
    const hold = shown.get(storefrontOrderId)?.find((one) => one.code === code);
    return hold === undefined ? [] : [{ code, orders, since, oldest: { ...hold, orderId, name } }];
  });
}

async function readPolledAt(app: App, { id }: Pick<Shop, 'id'>): Promise<HomeData['polledAt']> {
  const rows: { pass: string; at: Date | null }[] = await app.db.query(
    `select pass, max(last_succeeded_at) as at from poll_passes
     where pass in ('catch_up_storefront_orders', 'catch_up_print_orders') and (shop_id = $1 or shop_id is null) group by pass`,
    [id],
  );
  const at = (pass: string): string | null => rows.find((row) => row.pass === pass)?.at?.toISOString() ?? null;
  return { store: at('catch_up_storefront_orders'), print: at('catch_up_print_orders') };
}
