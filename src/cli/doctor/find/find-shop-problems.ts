import { describeRatesProblem, NO_FALLBACK_RATES } from '../../../rates/rates-problems.ts';
import { RATES_RESPONSE_LIMIT_MS, findPercentile95 } from '../../../shops/callbacks/durations.ts';
import type { CountedCalls } from '../../../shops/callbacks/read-callbacks.ts';
import type { Connections } from '../../../shops/read-connections.ts';
import type { CheckedStore } from '../../../shops/tokens/check-stores.ts';
import { findingsOf, type Finding } from '../finding.ts';

const { ok, warning, error } = findingsOf('shop');

/** Fewer requests than this show no pattern. */
const MIN_CALLS = 20;
/** If Platen fails to answer a larger share of the calls, the sender may stop sending them. */
const MAX_FAILED_SHARE = 0.05;

export interface ShopFacts {
  shopId: number;
  domain: string;
  connections: Pick<
    Connections,
    'store' | 'printAccount' | 'printAddressMadeAt' | 'silent' | 'settingsWithoutScope' | 'rates'
  >;
  accountId: number | null;
  /** The store's response to the token, or null if the token was not tested. */
  token: CheckedStore['answer'] | null;
  /** The print service's response to the key. `message` explains a failure. Null if the key does not exist or was not tested. */
  printKey: { answer: 'accepted' | 'refused' | 'unavailable'; message: string } | null;
  /** Webhook subscriptions that were created through the API, in addition to those in shopify.app.toml. Null if they could not be read. */
  subscriptions: readonly { topic: string; apiVersion: string }[] | null;
  /** Whether the store has Platen's fulfillment service. Null if the store's services could not be read. */
  hasService: boolean | null;
  callbacks: Record<'webhook' | 'event' | 'rates', CountedCalls>;
}

/** Finds problems with a shop's connections to the store and to the print service. */
export function findShopProblems(facts: ShopFacts): Finding[] {
  const found = [...findStoreProblems(facts), ...findPrintProblems(facts), ...findRatesProblems(facts)];
  if (found.length > 0) return found;
  const { webhook, event } = facts.callbacks;
  const message = `The store and the print service accept Platen. Last webhook: ${describeTime(webhook)}. Last event: ${describeTime(event)}.`;
  return [ok({ subject: facts.domain, message })];
}

function findStoreProblems(facts: ShopFacts): Finding[] {
  const { shopId, domain: subject, connections, token, subscriptions, hasService, callbacks } = facts;
  const { store, silent, settingsWithoutScope } = connections;
  const found: Finding[] = [];
  if (store.fencedOffAt !== null)
    found.push(
      error({
        subject,
        message: `Another database of this Platen has acted for the store since ${store.fencedOffAt.toISOString()}, so this one sends nothing.`,
        remedy:
          'If this one is right, stop all processes of the other database, and run "platen restored" here. Otherwise, stop this one.',
      }),
    );
  else if (store.refusedAt !== null)
    found.push(
      error({
        subject,
        message: `Shopify has rejected this server since ${store.refusedAt.toISOString()}, because of its address or the app's credentials.`,
        remedy:
          "Add the address of each server to the app's IP allowlist, and check SHOPIFY_API_KEY and SHOPIFY_API_SECRET (docs/operators/deploy.md).",
      }),
    );
  else if (token === 'needs_sign_in')
    found.push(
      error({
        subject,
        message: "The store no longer accepts Platen's tokens.",
        remedy: "Open Platen once in the store's admin. The store's orders wait until then.",
      }),
    );
  else if (token === 'unavailable')
    found.push(
      warning({
        subject,
        message: "The store's Admin API did not respond, so the token and the permissions were not checked.",
        remedy: 'Try again later. If the problem persists, check that this server can reach the store over HTTPS.',
      }),
    );
  if (store.missingScopes.length > 0)
    found.push(
      error({
        subject,
        message: `The store has not granted these permissions: ${store.missingScopes.join(', ')}.`,
        remedy: "Deploy the app's current configuration, and then open Platen in the store's admin to grant them.",
      }),
    );
  if (store.editRequestsHiddenAt !== null)
    found.push(
      warning({
        subject,
        message: `Since ${store.editRequestsHiddenAt.toISOString()}, the store has refused to show whether buyers have requested to remove items. Platen prints orders as if there were no requests.`,
        remedy:
          "Deploy the app's current configuration, and open Platen in the store's admin. Until the store shows the requests, the merchant must check for them before orders are printed, for example with the setting release.",
      }),
    );
  if (hasService === false)
    found.push(
      error({
        subject,
        message:
          "Platen's fulfillment service was deleted in the store, so the store requests no fulfillment from Platen.",
        remedy: 'Create it again now, open Platen in the admin, or wait for the daily check.',
        fix: { name: 'sync_fulfillment_service', shopId, shop: subject },
      }),
    );
  for (const { setting, scope } of settingsWithoutScope)
    found.push(
      warning({
        subject,
        message: `The setting ${setting} has no effect, because the store has revoked the permission ${scope}.`,
        remedy: `Save the setting again in Platen's pages, which then ask for the permission, or turn the setting off.`,
      }),
    );
  if (silent.shopify !== null)
    found.push(
      error({
        subject,
        message: `No webhook has arrived since ${silent.shopify.toISOString()}, although polls found changes.`,
        remedy:
          "Deploy shopify.app.toml, which contains the app's webhook subscriptions, and check the app's public address.",
      }),
    );
  if (subscriptions !== null && subscriptions.length > 0)
    found.push(
      warning({
        subject,
        message: `The store has webhook subscriptions that were created through the API: ${describeSubscriptions(subscriptions)}.`,
        remedy: 'Delete them with webhookSubscriptionDelete. The subscriptions in shopify.app.toml are sufficient.',
      }),
    );
  found.push(...findFailedCalls(subject, 'webhooks from the store', callbacks.webhook));
  return found;
}

function describeSubscriptions(subscriptions: NonNullable<ShopFacts['subscriptions']>): string {
  const names = subscriptions.map(({ topic, apiVersion }) => `${topic} (${apiVersion})`);
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return names.slice(0, 5).join(', ') + more;
}

function findPrintProblems({ domain: subject, connections, printKey, accountId, callbacks }: ShopFacts): Finding[] {
  const { printAccount, printAddressMadeAt, silent } = connections;
  const found: Finding[] = [];
  if (printAccount === null || accountId === null)
    return [
      warning({
        subject,
        message: 'The shop has no print account, so its orders are held.',
        remedy: `Set its key: "platen shops set printKey=- --shop ${subject}".`,
      }),
    ];
  if (printKey?.answer === 'refused')
    found.push(
      error({
        subject,
        message: printKey.message,
        remedy: `Create a key at the print service and set it: "platen shops set printKey=- --shop ${subject}".`,
      }),
    );
  else if (printKey?.answer === 'unavailable')
    found.push(
      warning({
        subject,
        message: printKey.message,
        remedy:
          "Try again later. If the problem persists, check the print service's status, and check that this server can reach it.",
      }),
    );
  else if (printAccount.state === 'refused')
    found.push(
      warning({
        subject,
        message:
          "The print service previously refused the key, but now accepts it. The account's orders are still waiting.",
        remedy: 'Wait for the next attempt, or resume the orders now.',
        fix: { name: 'resume_print_account', accountId },
      }),
    );
  if (printAddressMadeAt === null)
    found.push(
      warning({
        subject,
        message: 'The shop has no address for events from the print service, so only polls find changes.',
        remedy: `Create one with "platen shops webhook --shop ${subject}", and enter it in the print service's dashboard.`,
      }),
    );
  else if (silent.print !== null)
    found.push(
      warning({
        subject,
        message: `No event from the print service has arrived since ${silent.print.toISOString()}, although polls found changes.`,
        remedy: `Check the address in the print service's dashboard. Create a new one with "platen shops webhook --shop ${subject}".`,
      }),
    );
  found.push(...findFailedCalls(subject, 'events of the print service', callbacks.event));
  return found;
}

function findRatesProblems({ domain: subject, shopId, connections: { rates }, callbacks }: ShopFacts): Finding[] {
  if (rates === null) return [];
  const found: Finding[] = [];
  const fix = { name: 'sync_carrier_service', shopId, shop: subject } as const;
  const problem = describeRatesProblem(rates.problem);
  if (problem !== null) found.push(warning({ subject, message: problem.message, remedy: problem.steps, fix }));
  else if (!rates.isRegistered)
    found.push(
      warning({
        subject,
        message: 'liveRates is on, but Platen is not registered as a carrier service in the store.',
        remedy: 'Register it now, or wait for the daily check.',
        fix,
      }),
    );
  if (!rates.hasFallback)
    found.push(
      warning({
        subject,
        message: NO_FALLBACK_RATES,
        remedy: `Set fallbackRates: "platen shops set --help" explains it.`,
      }),
    );
  const within = findPercentile95(callbacks.rates.durations);
  if (within !== null && within > RATES_RESPONSE_LIMIT_MS && callbacks.rates.answered >= MIN_CALLS)
    found.push(
      warning({
        subject,
        message: `${Number.isFinite(within) ? `95% of the requests for rates took up to ${within} ms` : 'More than 5% of the requests for rates took more than 5 s'}. Shopify expects 500 ms.`,
        remedy: 'Run Platen close to the print service or start more web processes, and watch platen_rates_seconds.',
      }),
    );
  found.push(...findFailedCalls(subject, 'requests for rates', callbacks.rates));
  return found;
}

function findFailedCalls(subject: string, what: string, { answered, failed }: CountedCalls): Finding[] {
  const total = answered + failed;
  if (total < MIN_CALLS || failed <= total * MAX_FAILED_SHARE) return [];
  const message = `Platen could not answer ${failed} of ${total} ${what} in the last week.`;
  const remedy = 'Check the log for database outages, and platen_http_request_seconds for slow requests.';
  return [warning({ subject, message, remedy })];
}

function describeTime({ lastAt }: CountedCalls): string {
  return lastAt?.toISOString() ?? 'none in the last week';
}
