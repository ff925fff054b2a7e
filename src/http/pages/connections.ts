import { describeRatesProblem, NO_FALLBACK_RATES } from '../../rates/rates-problems.ts';
import type { Connections } from '../../shops/read-connections.ts';
import type { SettingWithoutScope } from '../../shops/tokens/scopes.ts';
import type { ShownSettings } from '../../shops/settings/settings.ts';
import type { UnlinkedPage } from '../../orders/unlinked/list-unlinked.ts';
import { html, type Html } from './html.ts';
import { showTime } from './show-time.ts';

/** One thing that is connected or wanting. */
interface Row {
  title: string;
  /** `good`; `bad`: orders wait for it; `missing`: Platen works, but not as well. */
  mark: 'good' | 'bad' | 'missing';
  says: string;
  text: Html;
}

/** What of the shop's orders needs the merchant. */
interface Orders {
  heldOrders: number;
  unlinked: UnlinkedPage['orders'];
}

/** The connections, each as a row with a mark, what it means and what to do; below them what else needs the merchant. */
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
  const wanting = rows.filter(({ mark }) => mark !== 'good').length;
  const summary =
    wanting === 0 ? 'Everything is connected.' : `${wanting} ${wanting === 1 ? 'thing needs' : 'things need'} you.`;
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
    const text = html`Shopify has refused this server’s address since ${showTime(refusedAt)}. There is nothing to mend
    in your store: whoever runs Platen has to add the server’s outgoing address to the app’s IP allow-list. Orders wait
    and go on by themselves then.`;
    return { title, mark: 'bad', says: 'Refused by Shopify', text };
  }
  if (missingScopes.length > 0) {
    const text = html`The store has not granted: ${missingScopes.join(', ')}. Without them Platen cannot do its work.
    Open Platen again from the Apps list of your admin and accept the permissions it asks for.`;
    return { title, mark: 'bad', says: 'Permissions missing', text };
  }
  if (silent.shopify) {
    const text = html`Since ${showTime(silent.shopify)} the store has told Platen of no order, though there were some:
    Platen finds them by asking, some minutes later. There is nothing to mend in your store: whoever runs Platen has to
    look at the app’s webhook subscriptions and at its public address.`;
    return { title, mark: 'missing', says: 'No news arrives', text };
  }
  const text = html`Platen is installed in ${domain} since ${showTime(installedAt)}.`;
  return { title, mark: 'good', says: 'Connected', text };
}

/** `last4`: of the key; empty for one so short that they would tell too much. */
function toAccountRow({ printAccount: account }: Connections, last4: string): Row {
  const title = 'Your print account';
  if (!account) {
    const text = html`Platen does not know your print account yet. <a href="#print-key">Enter its key below</a>; paid
      orders wait until then and go on by themselves.`;
    return { title, mark: 'bad', says: 'Key missing', text };
  }
  const key = last4 === '' ? 'the key' : `the key that ends in ${last4}`;
  if (account.state === 'working' && account.paymentRefusedAt) {
    const { waitingForPayment: count } = account;
    const waiting = count === 1 ? 'One order waits' : `${count} orders wait`;
    const text = html`The print service has refused the payments of your account since
    ${showTime(account.paymentRefusedAt)}. Update the payment method in its dashboard and pay what it refused there.
    ${waiting} for that, and will be sent when the print service takes a payment.`;
    return { title, mark: 'bad', says: 'Payment refused', text };
  }
  if (account.state === 'working') {
    return { title, mark: 'good', says: 'Connected', text: html`Orders are printed with ${key}.` };
  }
  const since = account.refusedAt && html` since ${showTime(account.refusedAt)}`;
  const words = account.message !== null && html` It says: “${account.message}”`;
  const text = html`The print service has refused ${key}${since}.${words}
    <a href="#print-key">Enter a valid key below</a>; orders wait until then and go on by themselves.`;
  return { title, mark: 'bad', says: 'Key refused', text };
}

function toAddressRow({ printAddressMadeAt: madeAt, silent }: Connections): Row {
  const title = 'News from the print service';
  if (madeAt && silent.print) {
    const text = html`Since ${showTime(silent.print)} the print service has told Platen nothing, though orders went on:
      Platen finds that by asking, some minutes later. Enter the address in the dashboard of the print service for all
      order events, or <a href="#print-address">make a new one below</a> and enter that.`;
    return { title, mark: 'missing', says: 'No news arrives', text };
  }
  if (madeAt) {
    const text = html`The address for them was made on ${showTime(madeAt)}. Status and tracking codes arrive at once
    when it is entered at the print service.`;
    return { title, mark: 'good', says: 'Address made', text };
  }
  const text = html`There is no address yet to which the print service sends status and tracking codes. Until then
    Platen asks for them every few minutes. <a href="#print-address">Make an address below.</a>`;
  return { title, mark: 'missing', says: 'Address missing', text };
}

/** Orders that are not printed because a product is not linked, or was not. */
function toUnlinkedRows({ notLinked, linked }: UnlinkedPage['orders']): Row[] {
  const title = 'Your products';
  const link = html`<a href="#unlinked">See which products.</a>`;
  const count = (orders: number): string => (orders === 1 ? 'One order is' : `${orders} orders are`);
  if (notLinked > 0) {
    const text = html`${count(notLinked)} not printed, because a product in it is not linked to a print product. ${link}`;
    return [{ title, mark: 'bad', says: 'Not linked', text }];
  }
  if (linked === 0) return [];
  const text = html`${count(linked)} not printed yet, though the product is linked now. ${link}`;
  return [{ title, mark: 'missing', says: 'Waiting for you', text }];
}

const SETTING_NAMES: Record<SettingWithoutScope['setting'], string> = {
  sendsCustomerId: 'Send the customer’s number to the print service',
  takesOrdersFrom: 'Print orders placed from this day on',
  liveRates: 'Offer the print service’s shipping prices at checkout',
  tagsOrders: 'Add tags to orders',
  writesOrderMetafields: 'Write the print status to metafields of the order',
  writesConnectionStatus: 'Write to metafields of products how they are connected',
  hideOutOfStock: 'Make variants unsellable that cannot be delivered',
  stockAtLocation: 'Stock connected variants at Platen’s location',
};

function toSettingRow({ setting, scope }: SettingWithoutScope): Row {
  const text = html`It is chosen, but the store no longer gives the permission ${scope}: Platen does without it. Give
    the permission again, or <a href="#permissions">choose otherwise below</a>.
    <button type="button" data-grant="${scope}">Give the permission</button>
    <span class="error" role="status" data-button-result></span>`;
  return { title: SETTING_NAMES[setting], mark: 'missing', says: 'Permission withdrawn', text };
}

/** Where the permission is gone the row of that says enough. */
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
  const text = html`Buyers see the print service’s shipping prices, and your own table while it does not answer.`;
  return [{ title, mark: 'good', says: 'Offered', text }];
}

function toDataRequestRow({ id, receivedAt, dueAt }: Connections['dataRequests'][number]): Row {
  const text = html`A customer asked your store on ${showTime(receivedAt)} for the data kept of them. Send them the file
    by ${showTime(dueAt)}. <button type="button" data-export="${id}">Download the file</button>
    <span class="error" role="status" data-button-result></span>`;
  return { title: 'A customer asks for their data', mark: 'missing', says: 'To be answered', text };
}

function toHeldByServiceRow({ orders }: Connections['heldByPrintService'][number]): Row {
  const text = html`Platen has erased what it kept of a customer. The print service still has the address of
  ${orders.join(', ')}, and Platen has no way to erase it there: ask the print service to do so.`;
  return { title: 'A customer’s data was erased', mark: 'missing', says: 'Ask the print service', text };
}
