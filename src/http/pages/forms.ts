import type { SettingName } from '../../shops/settings/settings-schema.ts';
import type { ShownSettings } from '../../shops/settings/settings.ts';
import { html, type Html } from './html.ts';
import { showTime } from './show-time.ts';

/** The setting takes times from 2006 to a year ahead: these days begin within that in every time zone. */
const FIRST_DAY = '2006-01-02';
const DAYS_AHEAD = 364;
const DAY_MS = 86_400_000;

/** The form of the print account's key. It never holds the key itself. */
export function renderKeyForm({ printKey }: ShownSettings): Html {
  const kept =
    printKey === null ? 'No key is kept yet.' : `A key ${printKey.last4 && `that ends in ${printKey.last4} `}is kept.`;
  return html`<section class="card" id="print-key" aria-labelledby="print-key-title">
    <h2 id="print-key-title">Key of your print account</h2>
    <form
      method="post"
      data-setting="printKey"
      data-busy="Trying the key…"
      data-done="The print service accepts the key. It is kept now."
    >
      <label for="printKey">API key</label>
      <p id="printKey-hint" class="hint">
        You find it in your account at the print service. Platen tries a new key before it keeps it; that costs nothing
        and prints nothing. <span id="kept-key" data-part>${kept}</span>
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
      <button type="submit" disabled>Try and keep this key</button>
      ${renderResult()}
    </form>
  </section>`;
}

/** Takes the kept key away; nothing without one. */
export function renderDisconnect({ printKey }: ShownSettings): Html {
  const question =
    'New orders will be held until you enter a key again. Orders that were sent to print are still followed. Press again to disconnect.';
  const card = html`<section class="card" aria-labelledby="disconnect-title">
    <h2 id="disconnect-title">Disconnect your print account</h2>
    <p>Platen then has no key, and sends nothing to print. An empty key above changes nothing.</p>
    ${renderAct('/api/settings/disconnect-print-account', {}, 'Disconnect', {
      yes: 'Yes, disconnect it',
      question,
      done: 'The print account is disconnected.',
    })}
  </section>`;
  return html`<div id="disconnect" data-part>${printKey !== null && card}</div>`;
}

/** Makes a new address for the print service's events, and shows it this once. */
export function renderAddressForm(madeAt: Date | null): Html {
  const made = madeAt
    ? html`An address was made on ${showTime(madeAt)}. It cannot be shown again: make a new one if you no longer have
      it, and the old one works for another day.`
    : 'No address was made yet.';
  return html`<section class="card" id="print-address" aria-labelledby="print-address-title">
    <h2 id="print-address-title">Address for news from the print service</h2>
    <form method="post" data-address>
      <p>
        The print service sends status and tracking codes of your orders to this address. Whoever has it can send such
        news: keep it to yourself. <span id="address-made" data-part>${made}</span>
      </p>
      <div class="shown-once" data-shown-once hidden>
        <label for="address">New address, shown only now</label>
        <input id="address" type="text" readonly aria-describedby="address-hint" />
        <button type="button" data-copy="address">Copy</button>
        <p id="address-hint" class="hint">
          Enter it in your account at the print service as the address of its webhooks, for all events of orders and
          items. An address made before works for another day.
        </p>
      </div>
      <button type="submit" disabled>Make a new address</button>
      ${renderResult()}
    </form>
  </section>`;
}

/** The settings that need a permission of their own: the store is asked for it when one is switched on. */
export function renderPermissionForms(settings: ShownSettings, now: Date): Html {
  const { sendsCustomerId, liveRates, tagsOrders, writesOrderMetafields, takesOrdersFrom } = settings;
  const { writesConnectionStatus, stockAtLocation, hideOutOfStock } = settings;
  return html`<section class="card" id="permissions" aria-labelledby="permissions-title">
    <h2 id="permissions-title">Settings that need a permission</h2>
    <p>Your store asks you for the permission when you change them.</p>
    ${renderSwitch('sendsCustomerId', sendsCustomerId, {
      label: 'Send the customer’s number to the print service',
      hint: html`Then it can tell the orders of one buyer from those of others. It is a number alone, no name. Needs the
      permission read_customers.`,
    })}
    ${renderSwitch('liveRates', liveRates, {
      label: 'Offer the print service’s shipping prices at checkout',
      hint: html`Buyers see what shipping really costs and choose how their order travels. Needs a plan with rates of
      apps and the permission write_shipping.`,
    })}
    ${renderSwitch('tagsOrders', tagsOrders, {
      label: 'Add tags to orders',
      hint: html`Your list of orders then shows where their printing stands, such as “platen: printing”. Tags of yours
      are left alone. Needs the permission write_orders.`,
    })}
    ${renderSwitch('writesOrderMetafields', writesOrderMetafields, {
      label: 'Write the print status to metafields of the order',
      hint: html`The page of an order then shows its print status, its references, when it is expected and what it waits
      for. Needs the permission write_orders.`,
    })}
    ${renderSwitch('writesConnectionStatus', writesConnectionStatus, {
      label: 'Write to metafields of products how they are connected',
      hint: html`The page of a product, and of each variant, then shows whether it is connected at the print service.
      Needs the permission write_products; nothing else of your products is changed.`,
    })}
    ${renderSwitch('stockAtLocation', stockAtLocation, {
      label: 'Stock connected variants at Platen’s location',
      hint: html`Your store then sends their orders to Platen by itself, and no more once they are not connected. A
      variant whose delivery profile has no rates for that location is left as it is. Needs the permission
      read_shipping.`,
    })}
    ${renderSwitch('hideOutOfStock', hideOutOfStock, {
      label: 'Make variants unsellable that cannot be delivered',
      hint: html`When the print service is out of stock in every region, the variant cannot be bought until that is
      over; then it is put back as it was. Name the regions that you ship to first (stockRegions). Needs the permission
      write_products.`,
    })}
    <form method="post" data-setting="takesOrdersFrom" data-done="Saved.">
      <label for="takesOrdersFrom">Print orders placed from this day on</label>
      <p id="takesOrdersFrom-hint" class="hint">
        <span id="orders-from" data-part>Now: from ${showTime(new Date(takesOrdersFrom))} on.</span> Older orders are
        not printed. With an earlier day, the orders placed since then that are paid and not yet fulfilled are printed
        too, at once. A day more than 60 days back needs the permission read_all_orders.
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

/** A setting that is on or off, saved as it is switched. */
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
 * A button that asks the API for something, with this body. With `yes` it asks the merchant first, and a second press confirms.
 * `leads`: what was asked for changes the whole page.
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
  /** The question is what a dry run of it says. */
  preview?: boolean;
  /** What is said once it is done. */
  done: string;
  leads?: boolean;
}

/** Told to a screen reader when it changes. */
function renderResult(): Html {
  return html`<p class="result" role="status" aria-live="polite" data-result></p>`;
}
