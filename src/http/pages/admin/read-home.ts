import type { App } from '../../../app.ts';
import { PrintOrders } from '../../../database/entities/print-orders.ts';
import type { Shop } from '../../../database/entities/shops.ts';
import { readOverview, type OrdersOverview } from '../../../orders/lists/read-overview.ts';
import { countUnlinked, type UnlinkedPage } from '../../../orders/unlinked/list-unlinked.ts';
import { listWaitingOrders, type WaitingOrders } from '../../../orders/waits/list-waiting-orders.ts';
import { describeRatesProblem } from '../../../rates/rates-problems.ts';
import { readQuietUntil } from '../../../shops/print-account/read-quiet-until.ts';
import { readConnections, type Connections } from '../../../shops/read-connections.ts';
import { showSettings } from '../../../shops/settings/settings.ts';

/** JSON of a value: its dates are texts. */
type Json<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Json<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Json<Value[Name]> }
      : Value;

/** Everything that the home page shows. No secrets and no personal data. */
export interface HomeData extends OrdersOverview {
  /** Until when no order is sent after a restore, or null. */
  quietUntil: string | null;
  guide: { hasKey: boolean; hasAddress: boolean; hasLink: boolean; hasOrder: boolean };
  /** The last characters of the saved key. Empty if they would reveal too much, null without a key. */
  keyLast4: string | null;
  connections: Json<Connections>;
  /** Why shipping prices cannot be offered at checkout, or null. */
  ratesProblem: { says: string; message: string; steps: string } | null;
  waiting: WaitingOrders;
  unlinked: UnlinkedPage['orders'];
}

/** Reads the home page's data from the database, without any outside call. */
export async function readHome(app: App, shop: Shop): Promise<HomeData> {
  const connections = await readConnections(app, shop);
  const { printKey } = await showSettings(app, shop);
  const unlinked = await countUnlinked(app, shop);
  const quietUntil = await readQuietUntil(app);
  const [linked]: { one: boolean }[] = await app.db.query(
    'select true as one from print_links where shop_id = $1 limit 1',
    [shop.id],
  );
  const ordered = await app.db.manager
    .createQueryBuilder(PrintOrders, 'p')
    .where('p.shop_id = :shopId and p.confirmed_at is not null', { shopId: shop.id })
    .getExists();
  const problem = connections.rates && describeRatesProblem(connections.rates.problem);
  return {
    ...(await readOverview(app, shop)),
    quietUntil: quietUntil?.toISOString() ?? null,
    guide: {
      hasKey: connections.printAccount !== null,
      hasAddress: connections.printAddressMadeAt !== null,
      hasLink: linked !== undefined,
      hasOrder: ordered,
    },
    keyLast4: printKey?.last4 ?? null,
    connections: JSON.parse(JSON.stringify(connections)) as Json<Connections>,
    ratesProblem: problem ?? null,
    waiting: await listWaitingOrders(app, shop),
    unlinked,
  };
}
