import { describeRatesProblem, NO_FALLBACK_RATES } from '../../rates/rates-problems.ts';
import type { Connections } from '../../shops/read-connections.ts';
import type { SettingWithoutScope } from '../../shops/tokens/scopes.ts';
import type { ShownSettings } from '../../shops/settings/settings.ts';
import type { UnlinkedPage } from '../../orders/unlinked/list-unlinked.ts';
import { html, type Html } from './html.ts';
import { showTime } from './show-time.ts';

/** One item that is connected or needs attention. */
interface Row {
  title: string;
  /** `good`: everything works. `bad`: orders are waiting. `missing`: Platen works, but with limitations. */
  mark: 'good' | 'bad' | 'missing';
  says: string;
  text: Html;
}

/** The orders that need the merchant's attention. */
interface Orders {
  heldOrders: number;
  unlinked: UnlinkedPage['orders'];
}

/** Renders the connections and other items that need the merchant's attention. Each row has a mark, an explanation and what to do. */
export function renderConnections(
  connections: Connections,
  { printKey, heldOrders, unlinked }: Pick<ShownSettings, 'printKey'> & Orders,
): Html {
  const rows = [
    toStoreRow(connections),
    toAccountRow(connections, printKey?.last4 ?? ''),
    toAddressRow(connections),
    ...toUnlinkedRows(unlinked),
    ...connections.settingsWithoutScope.map(toSettingRow),
    ...toRatesRows(connections),
    ...connections.dataRequests.map(toDataRequestRow),
    ...connections.heldByPrintService.map(toHeldByServiceRow),
  ];
  const open = rows.filter(({ mark }) => mark !== 'good').length;
  const summary =
    open === 0 ? 'Everything is connected.' : `${open} ${open === 1 ? 'thing needs' : 'things need'} your attention.`;
  const held = heldOrders === 1 ? 'One order is on hold.' : `${heldOrders} orders are on hold.`;
  return html`<section class="card" id="connections" data-part aria-labelledby="connections-title">
    <h2 id="connections-title" tabindex="-1">Connections</h2>
    <p>${summary} ${heldOrders > 0 && html`<a href="#held-orders">${held}</a>`}</p>
    <ul class="rows">
      ${rows.map(renderRow)}
    </ul>
  </section>`;
}

function renderRow({ title, mark, says, text }: Row): Html {
  const sign = mark === 'good' ? '✓' : '!';
  return html`<li>
    <div class="row-head">
      <h3>${title}</h3>
      <span class="mark ${mark}"><span aria-hidden="true">${sign}</span> ${says}</span>
    </div>
    <p>${text}</p>
  </li>`;
}

function toStoreRow({ store: { domain, installedAt, refusedAt, missingScopes }, silent }: Connections): Row {
  const title = 'Your store';
  if (refusedAt) {
    const text = html`Shopify has refused this server’s address since ${showTime(refusedAt)}. There is nothing to fix in
    your store: Platen’s operator must add the server’s outgoing IP address to the app’s IP allow-list. Orders wait
    until then and resume automatically.`;
    return { title, mark: 'bad', says: 'Refused by Shopify', text };
  }
  if (missingScopes.length > 0) {
    const text = html`The store has not granted these permissions: ${missingScopes.join(', ')}. Platen cannot work
    without them. Open Platen again from your admin’s Apps list and accept the permissions.`;
    return { title, mark: 'bad', says: 'Permissions missing', text };
  }
  if (silent.shopify) {
    const text = html`Since ${showTime(silent.shopify)}, Platen has received no order notifications from the store,
    although there were orders. Platen finds them by checking regularly, with a delay of a few minutes. There is nothing
    to fix in your store: Platen’s operator must check the app’s webhook subscriptions and its public address.`;
    return { title, mark: 'missing', says: 'No updates arrive', text };
  }
  const text = html`Platen has been installed in ${domain} since ${showTime(installedAt)}.`;
  return { title, mark: 'good', says: 'Connected', text };
}

/** `last4`: the last characters of the key. Empty if the key is too short to show them safely. */
function toAccountRow({ printAccount: account }: Connections, last4: string): Row {
  const title = 'Your print account';
  if (!account) {
    const text = html`Platen does not know your print account yet. <a href="#print-key">Enter its key below</a>. Paid
      orders wait until then and resume automatically.`;
    return { title, mark: 'bad', says: 'Key missing', text };
  }
  const key = last4 === '' ? 'the key' : `the key that ends in ${last4}`;
  if (account.state === 'working' && account.paymentRefusedAt) {
    const { waitingForPayment: count } = account;
    const waiting = count === 1 ? 'One order waits' : `${count} orders wait`;
    const text = html`The print service has refused your account’s payments since ${showTime(account.paymentRefusedAt)}.
    Update the payment method in the print service’s dashboard, and pay the refused amounts there. ${waiting} and will
    be sent when the print service accepts a payment.`;
    return { title, mark: 'bad', says: 'Payment refused', text };
  }
  if (account.state === 'working') {
    return { title, mark: 'good', says: 'Connected', text: html`Orders are sent to print with ${key}.` };
  }
  const since = account.refusedAt && html` since ${showTime(account.refusedAt)}`;
  const words = account.message !== null && html` It says: “${account.message}”`;
  const text = html`The print service has refused ${key}${since}.${words}
    <a href="#print-key">Enter a valid key below</a>. Orders wait until then and resume automatically.`;
  return { title, mark: 'bad', says: 'Key refused', text };
}

function toAddressRow({ printAddressMadeAt: madeAt, silent }: Connections): Row {
  const title = 'Updates from the print service';
  if (madeAt && silent.print) {
    const text = html`Since ${showTime(silent.print)}, Platen has received no updates from the print service, although
      orders progressed. Platen finds the changes by checking regularly, with a delay of a few minutes. In the print
      service’s dashboard, enter the address for all order events, or
      <a href="#print-address">create a new address below</a> and enter it.`;
    return { title, mark: 'missing', says: 'No updates arrive', text };
  }
  if (madeAt) {
    const text = html`The address for updates was created on ${showTime(madeAt)}. Once you have entered it at the print
    service, statuses and tracking codes arrive immediately.`;
    return { title, mark: 'good', says: 'Address created', text };
  }
  const text = html`The print service does not have an address yet for sending statuses and tracking codes. Until it
    does, Platen checks for them every few minutes. <a href="#print-address">Create an address below.</a>`;
  return { title, mark: 'missing', says: 'Address missing', text };
}

/** Renders rows for orders that are not printed because a product is not linked, or was not linked when the order was placed. */
function toUnlinkedRows({ notLinked, linked }: UnlinkedPage['orders']): Row[] {
  const title = 'Your products';
  const link = html`<a href="#unlinked">See which products.</a>`;
  const count = (orders: number): string => (orders === 1 ? 'One order is' : `${orders} orders are`);
  if (notLinked > 0) {
    const text = html`${count(notLinked)} not printed because a product is not linked to a print product. ${link}`;
    return [{ title, mark: 'bad', says: 'Not linked', text }];
  }
  if (linked === 0) return [];
  const text = html`${count(linked)} not printed yet, although the product is linked now. ${link}`;
  return [{ title, mark: 'missing', says: 'Waiting for you', text }];
}

const SETTING_NAMES: Record<SettingWithoutScope['setting'], string> = {
  sendsCustomerId: 'Send the customer’s number to the print service',
  takesOrdersFrom: 'Print orders placed from this day on',
  liveRates: 'Offer the print service’s shipping prices at checkout',
  tagsOrders: 'Add tags to orders',
  writesOrderMetafields: 'Write the print status to order metafields',
  writesConnectionStatus: 'Write the connection status to product metafields',
  hideOutOfStock: 'Make variants that cannot be delivered unsellable',
  stockAtLocation: 'Stock connected variants at Platen’s location',
};

function toSettingRow({ setting, scope }: SettingWithoutScope): Row {
  const text = html`You chose this setting, but it has no effect because the store no longer grants the permission
    ${scope}. Grant the permission again, or <a href="#permissions">change the setting below</a>.
    <button type="button" data-grant="${scope}">Grant the permission</button>
    <span class="error" role="status" data-button-result></span>`;
  return { title: SETTING_NAMES[setting], mark: 'missing', says: 'Permission revoked', text };
}

/** Renders no row if the permission is missing, because `toSettingRow` already reports it. */
function toRatesRows({ rates, settingsWithoutScope: without }: Connections): Row[] {
  if (!rates || without.some(({ setting }) => setting === 'liveRates')) return [];
  const title = 'Shipping prices at checkout';
  const problem = describeRatesProblem(rates.problem);
  if (problem) {
    return [{ title, mark: 'missing', says: problem.says, text: html`${problem.message} ${problem.steps}` }];
  }
  if (!rates.isRegistered) {
    const text = html`Platen is registering with your store. Open this page again in a minute.`;
    return [{ title, mark: 'missing', says: 'Not registered yet', text }];
  }
  if (!rates.hasFallback) {
    return [{ title, mark: 'missing', says: 'No fallback prices', text: html`${NO_FALLBACK_RATES}` }];
  }
  const text = html`Buyers see the print service’s shipping prices, or your own table while it does not respond.`;
  return [{ title, mark: 'good', says: 'Offered', text }];
}

function toDataRequestRow({ id, receivedAt, dueAt }: Connections['dataRequests'][number]): Row {
  const text = html`On ${showTime(receivedAt)}, a customer asked your store for the data stored about them. Send them
    the file by ${showTime(dueAt)}. <button type="button" data-export="${id}">Download the file</button>
    <span class="error" role="status" data-button-result></span>`;
  return { title: 'A customer requests their data', mark: 'missing', says: 'Answer due', text };
}

function toHeldByServiceRow({ orders }: Connections['heldByPrintService'][number]): Row {
  const text = html`Platen has erased a customer’s data. The print service still stores the address for
  ${orders.join(', ')}. Platen cannot erase it there, so ask the print service to erase it.`;
  return { title: 'A customer’s data was erased', mark: 'missing', says: 'Ask the print service', text };
}
