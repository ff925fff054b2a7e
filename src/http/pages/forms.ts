import type { SettingName } from '../../shops/settings/settings-schema.ts';
import type { ShownSettings } from '../../shops/settings/settings.ts';
import { html, type Html } from './html.ts';
import { showTime } from './show-time.ts';

/** The setting accepts times from 2006 to one year from now. These days begin within that range in every time zone. */
const FIRST_DAY = '2006-01-02';
const DAYS_AHEAD = 364;
const DAY_MS = 86_400_000;

/** Renders the form for the print account's key. It never contains the saved key. */
export function renderKeyForm({ printKey }: ShownSettings): Html {
  const kept =
    printKey === null
      ? 'No key is saved yet.'
      : `A key ${printKey.last4 && `that ends in ${printKey.last4} `}is saved.`;
  return html`<section class="card" id="print-key" aria-labelledby="print-key-title">
    <h2 id="print-key-title">Your print account’s key</h2>
    <form
      method="post"
      data-setting="printKey"
      data-busy="Testing the key…"
      data-done="The print service accepts the key. It is now saved."
    >
      <label for="printKey">API key</label>
      <p id="printKey-hint" class="hint">
        You can find the key in your account at the print service. Platen tests a new key before saving it, which costs
        nothing and prints nothing. <span id="kept-key" data-part>${kept}</span>
      </p>
      <input
        id="printKey"
        name="printKey"
        type="password"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength="200"
        required
        aria-describedby="printKey-hint printKey-error"
      />
      ${renderError('printKey')}
      <button type="submit" disabled>Test and save this key</button>
      ${renderResult()}
    </form>
  </section>`;
}

/** Renders the form that removes the saved key. Empty if no key is saved. */
export function renderDisconnect({ printKey }: ShownSettings): Html {
  const question =
    'New orders will be held until you enter a key again. Platen still follows orders that were sent to print. Press again to disconnect.';
  const card = html`<section class="card" aria-labelledby="disconnect-title">
    <h2 id="disconnect-title">Disconnect your print account</h2>
    <p>
      Platen then has no key and sends nothing to print. Entering an empty key above does not disconnect the account.
    </p>
    ${renderAct('/api/settings/disconnect-print-account', {}, 'Disconnect', {
      yes: 'Yes, disconnect',
      question,
      done: 'The print account is disconnected.',
    })}
  </section>`;
  return html`<div id="disconnect" data-part>${printKey !== null && card}</div>`;
}

/** Renders the form that creates a new address for the print service's events and shows it only once. */
export function renderAddressForm(madeAt: Date | null): Html {
  const made = madeAt
    ? html`An address was created on ${showTime(madeAt)}. It cannot be shown again. If you no longer have it, create a
      new address. The old address then works for another day.`
    : 'No address has been created yet.';
  return html`<section class="card" id="print-address" aria-labelledby="print-address-title">
    <h2 id="print-address-title">Address for updates from the print service</h2>
    <form method="post" data-address>
      <p>
        The print service sends your orders’ statuses and tracking codes to this address. Keep it secret, because anyone
        who has it can send such updates. <span id="address-made" data-part>${made}</span>
      </p>
      <div class="shown-once" data-shown-once hidden>
        <label for="address">New address, shown only now</label>
        <input id="address" type="text" readonly aria-describedby="address-hint" />
        <button type="button" data-copy="address">Copy</button>
        <p id="address-hint" class="hint">
          In your account at the print service, enter this as the webhook address for all order and item events. The
          previous address works for another day.
        </p>
      </div>
      <button type="submit" disabled>Create a new address</button>
      ${renderResult()}
    </form>
  </section>`;
}

/** Renders the settings that need an extra permission. When a setting is switched on, the store asks the merchant for the permission. */
export function renderPermissionForms(settings: ShownSettings, now: Date): Html {
  const { sendsCustomerId, liveRates, tagsOrders, writesOrderMetafields, takesOrdersFrom } = settings;
  const { writesConnectionStatus, stockAtLocation, hideOutOfStock } = settings;
  return html`<section class="card" id="permissions" aria-labelledby="permissions-title">
    <h2 id="permissions-title">Settings that need a permission</h2>
    <p>When you change one of these settings, your store asks you for the permission.</p>
    ${renderSwitch('sendsCustomerId', sendsCustomerId, {
      label: 'Send the customer’s number to the print service',
      hint: html`The print service can then recognize orders from the same buyer. Only a number is sent, not a name.
      Requires the permission read_customers.`,
    })}
    ${renderSwitch('liveRates', liveRates, {
      label: 'Offer the print service’s shipping prices at checkout',
      hint: html`Buyers see the actual shipping costs and choose a shipping method. Requires a Shopify plan that allows
      shipping rates from apps, and the permission write_shipping.`,
    })}
    ${renderSwitch('tagsOrders', tagsOrders, {
      label: 'Add tags to orders',
      hint: html`Your order list then shows each order’s print status, such as “platen: printing”. Your own tags stay
      unchanged. Requires the permission write_orders.`,
    })}
    ${renderSwitch('writesOrderMetafields', writesOrderMetafields, {
      label: 'Write the print status to order metafields',
      hint: html`An order’s page then shows its print status, references, expected date and what it waits for. Requires
      the permission write_orders.`,
    })}
    ${renderSwitch('writesConnectionStatus', writesConnectionStatus, {
      label: 'Write the connection status to product metafields',
      hint: html`The pages of products and variants then show whether they are connected at the print service. Requires
      the permission write_products. Nothing else in your products changes.`,
    })}
    ${renderSwitch('stockAtLocation', stockAtLocation, {
      label: 'Stock connected variants at Platen’s location',
      hint: html`Your store then routes orders for these variants to Platen automatically, until the variants are no
      longer connected. A variant whose delivery profile has no rates for that location stays unchanged. Requires the
      permission read_shipping.`,
    })}
    ${renderSwitch('hideOutOfStock', hideOutOfStock, {
      label: 'Make variants that cannot be delivered unsellable',
      hint: html`While the print service is out of stock in every region, the variant cannot be bought. Afterwards it is
      restored. First name the regions that you ship to, in the setting stockRegions. Needs the permission
      write_products.`,
    })}
    <form method="post" data-setting="takesOrdersFrom" data-done="Saved.">
      <label for="takesOrdersFrom">Print orders placed from this day on</label>
      <p id="takesOrdersFrom-hint" class="hint">
        <span id="orders-from" data-part>Currently from ${showTime(new Date(takesOrdersFrom))} on.</span> Older orders
        are not printed. If you choose an earlier day, paid orders placed since then that are not yet fulfilled are also
        printed right away. A day more than 60 days ago requires the permission read_all_orders.
      </p>
      <input
        id="takesOrdersFrom"
        name="takesOrdersFrom"
        type="date"
        required
        min="${FIRST_DAY}"
        max="${toDay(now.getTime() + DAYS_AHEAD * DAY_MS)}"
        data-moment="${takesOrdersFrom}"
        value="${toDay(takesOrdersFrom)}"
        aria-describedby="takesOrdersFrom-hint takesOrdersFrom-error"
      />
      ${renderError('takesOrdersFrom')}
      <button type="submit" disabled>Save</button>
      ${renderResult()}
    </form>
  </section>`;
}

/** Renders a setting that is on or off. The setting is saved when it is switched. */
function renderSwitch(name: SettingName, isOn: boolean, { label, hint }: { label: string; hint: Html }): Html {
  return html`<form method="post" data-setting="${name}" data-done="Saved.">
    <div class="choice">
      <input
        id="${name}"
        name="${name}"
        type="checkbox"
        role="switch"
        disabled
        ${checked(isOn)}
        aria-describedby="${name}-hint ${name}-error"
      />
      <label for="${name}">${label}</label>
    </div>
    <p id="${name}-hint" class="hint">${hint}</p>
    ${renderError(name)} ${renderResult()}
  </form>`;
}

function toDay(moment: number | string): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function checked(isOn: boolean): Html | null {
  return isOn ? html`checked` : null;
}

function renderError(field: string): Html {
  return html`<p id="${field}-error" class="error" data-error></p>`;
}

/**
 * Renders a button that sends this body to the API. With `yes`, a question appears first, and a second press confirms the action. With
 * `leads`, the whole page is reloaded afterward.
 */
export function renderAct(
  path: string,
  body: object,
  label: string,
  { yes, question = '', preview = false, done, leads = false }: Act,
): Html {
  return html`<form
    method="post"
    data-act="${path}"
    data-body="${JSON.stringify(body)}"
    data-done="${done}"
    ${yes !== undefined && html`data-yes="${yes}" data-question="${question}"`}
    ${preview && html`data-preview="yes"`}
    ${leads && html`data-leads="yes"`}
  >
    <button type="submit" disabled>${label}</button>
    ${renderResult()}
  </form>`;
}

interface Act {
  yes?: string;
  question?: string;
  /** Whether the question lists the results of a dry run. */
  preview?: boolean;
  /** The message once the action is done. */
  done: string;
  leads?: boolean;
}

/** Renders the text for the result. Screen readers announce its changes. */
function renderResult(): Html {
  return html`<p class="result" role="status" aria-live="polite" data-result></p>`;
}
