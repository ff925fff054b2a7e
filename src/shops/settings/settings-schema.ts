import { z } from 'zod';
import { describeIssue } from '../../describe-issue.ts';
import { InvalidInputError } from '../../errors.ts';
import { printInterfaces } from '../../print/port.ts';
import { currencySchema, returnAddressSchema, shippingAddressSchema } from '../../print/current/request-objects.ts';
import { alertDefaults, alertSettings } from './alert-settings.ts';
import { productDefaults, productSettings } from './product-settings.ts';
import { rateDefaults, rateSettings } from './rate-settings.ts';
import { releaseDefaults, releaseSettings } from './release-settings.ts';
import { flag, publicUrl, isPlain, PLAIN, plainText, wholeNumber } from './setting-types.ts';
import { shippingDefaults, shippingSettings } from './shipping-settings.ts';
import { storeDefaults, storeSettings } from './store-settings.ts';
import { systemClock } from '../../clock.ts';

const MAX_GATHER_SECONDS = 3_600;
const MAX_RETENTION_DAYS = 365;
/** More than any setting's own limit, which has its own message. */
const MAX_LIST_ENTRIES = 500;
const YEAR_MS = 365 * 86_400_000;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{6,254})[\x21-\x7e]$/;
const PRINT_KEY = /^[\x21-\x7e]{1,200}$/;
const SLACK_URL =
  'must be the address of an incoming webhook, such as https://hooks.slack.com/services/…: with https, without spaces, a port or a password';
/** An empty value does not remove the print key, so that a field cleared by mistake cannot stop the shop's printing. */
const KEY_MESSAGE = 'must be a key; an empty value changes nothing. To remove the key, disconnect the print account';

/** The email field of a shipping address, which also validates a shop's fallback email for orders without an email. */
export const emailSchema = shippingAddressSchema.shape.email;

const storedSettings = {
  submit: z
    .enum(['draft', 'direct'], 'must be draft or direct')
    .describe('How print orders are created: as a draft that Platen then confirms, or directly'),
  extendedCalls: flag.describe(
    "Use the print service's calls for reading, confirming and canceling an order. Without them, print orders are created directly",
  ),
  printInterface: z
    .enum(printInterfaces, 'must be current, v2 or v1')
    .describe("The print service's interface for new print orders: current, or the earlier v2 or v1"),
  legacyHost: z
    .enum(['live', 'test'], 'must be live or test')
    .describe(
      'Where print orders of the earlier interface are sent: live, or test, which costs nothing and prints nothing',
    ),
  gatherSeconds: wholeNumber(0, MAX_GATHER_SECONDS).describe(
    "Seconds to collect an order's tracking codes before the buyer is notified. Platen also waits this long before reading production steps (at most 30 seconds) and changes to a sent order (at most 5 seconds)",
  ),
  fallbackEmail: emailSchema
    .refine(isPlain, PLAIN)
    .nullable()
    .describe(
      "Email address to send to the print service if the order has none, or one that the service does not accept. If null, Platen uses the shop's contact email",
    ),
  currency: currencySchema
    .nullable()
    .describe(
      "Currency of print orders, such as EUR. If null, Platen uses the shop's own currency if the print service supports it, and otherwise USD",
    ),
  postCodePlaceholder: plainText(15).describe(
    'Postal code for addresses in countries without postal codes, 1 to 15 characters',
  ),
  returnAddress: returnAddressSchema
    .refine((address) => Object.values(address).every(isPlain), PLAIN)
    .nullable()
    .describe("Sender on the parcel. If null, the print account's sender is used"),
  printsAtMerchantLocations: flag.describe(
    "Also print items that the store has assigned to one of the merchant's locations",
  ),
  submitsRequests: flag.describe("Automatically request fulfillment at Platen's own location"),
  sendsRestOfHeldOrders: flag.describe('If one line of an order is on hold, print the other lines'),
  notifyCustomer: flag.describe('Have the store notify the buyer when a parcel ships'),
  sendsCustomerId: flag.describe(
    "Send the customer's number to the print service, so that it can recognize orders from the same buyer",
  ),
  retentionDays: wholeNumber(1, MAX_RETENTION_DAYS).describe(
    'Number of days to store addresses after an order is done',
  ),
  ...releaseSettings,
  ...shippingSettings,
  ...rateSettings,
  ...storeSettings,
  ...productSettings,
  ...alertSettings,
};

/** The content of `shops.settings`. A missing setting has its default value. */
export const storedSettingsSchema = z.object(storedSettings);
type StoredSettings = z.output<typeof storedSettingsSchema>;

/** Parses a header written as `Name: value`. */
function toHeader(given: unknown): unknown {
  const [written, name, value] = typeof given === 'string' ? (/^([^:]*):(.*)$/s.exec(given) ?? []) : [];
  return written === undefined ? given : { name: name?.trim(), value: value?.trim() };
}

/** All of a shop's settings as a person or program enters them. The schema is strict, and every setting is optional. */
export const settingsSchema = z
  .strictObject({
    ...storedSettings,
    takesOrdersFrom: z.iso
      .datetime({ offset: true, error: 'must be a date and time such as 2026-11-21T00:00:00Z' })
      .transform((value) => new Date(value))
      .refine((moment) => moment.getTime() >= 0, 'must not be before 1970')
      .refine((moment) => moment.getTime() < systemClock.now().getTime() + YEAR_MS, 'must be at most a year ahead')
      .describe('Do not print orders that were created before this time'),
    printKey: z
      .string(KEY_MESSAGE)
      .trim()
      .min(1, KEY_MESSAGE)
      .regex(PRINT_KEY, 'must be the API key of the print service, without spaces')
      .describe('The print service API key'),
    printWebhookHeader: z
      .preprocess(
        toHeader,
        z.strictObject({
          name: z.string().regex(HEADER_NAME, 'must be the name of an HTTP header'),
          value: z.string().regex(HEADER_VALUE, 'must be 8 to 256 visible characters'),
        }),
      )
      .nullable()
      .describe(
        "Secret header, written as Name: value, that the print service's events must contain; null if events need no header",
      ),
    alertSlackUrl: publicUrl(SLACK_URL)
      .nullable()
      .describe(
        'The secret https address to which alerts and the weekly digest are sent: an incoming webhook of Slack, or of a chat that accepts the same messages, such as Mattermost; null for none',
      ),
  })
  .partial();
export type SettingsChange = z.output<typeof settingsSchema>;
export type SettingName = keyof SettingsChange;

/** Settings that most shops leave at their defaults. Lists show these settings last. */
export const advancedSettings: readonly SettingName[] = [
  'submit',
  'extendedCalls',
  'printInterface',
  'legacyHost',
  'gatherSeconds',
  'currency',
  'postCodePlaceholder',
  'printsAtMerchantLocations',
  'submitsRequests',
  'sendsRestOfHeldOrders',
  'sendsCustomerId',
  'retentionDays',
  'printWebhookHeader',
  'testOrders',
  'allowMultipleQuotes',
  'holdsInStore',
  'noTrackingDays',
  'fulfillsWithoutTracking',
  'stockRegions',
  'printStoreId',
  'printLinkMetafields',
  'printFileProperty',
  'printFileHosts',
];

export const basicSettings: readonly SettingName[] = (Object.keys(settingsSchema.shape) as SettingName[]).filter(
  (name) => !advancedSettings.includes(name),
);

export const settingNames: readonly SettingName[] = [...basicSettings, ...advancedSettings];

const defaults: StoredSettings = {
  submit: 'draft',
  extendedCalls: true,
  printInterface: 'current',
  legacyHost: 'live',
  gatherSeconds: 60,
  fallbackEmail: null,
  currency: null,
  postCodePlaceholder: '00000',
  returnAddress: null,
  printsAtMerchantLocations: true,
  submitsRequests: true,
  sendsRestOfHeldOrders: false,
  notifyCustomer: true,
  sendsCustomerId: false,
  retentionDays: 30,
  ...releaseDefaults,
  ...shippingDefaults,
  ...rateDefaults,
  ...storeDefaults,
  ...productDefaults,
  ...alertDefaults,
};

/** Returns a shop's settings, with default values for settings that the shop has not chosen. */
export function fillSettings(kept: Record<string, unknown>): StoredSettings {
  return storedSettingsSchema.parse({ ...defaults, ...kept });
}

/** Parses a settings change. Throws an InvalidInputError that names the field and its allowed values. */
export function parseSettingsChange(input: unknown): SettingsChange {
  refuseLongLists(input);
  const parsed = settingsSchema.safeParse(input, { error: describeIssue });
  if (parsed.success) return withoutUndefined(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const [name = ''] = issue.keys;
    throw new InvalidInputError(name, `There is no setting ${name}. The settings are: ${settingNames.join(', ')}.`);
  }
  const [name] = issue?.path ?? [];
  if (issue === undefined || name === undefined) {
    throw new InvalidInputError('settings', 'The settings must be an object that maps names to new values.');
  }
  const field = issue.path.join('.');
  const text = settingsSchema.shape[name as SettingName].unwrap().description;
  throw new InvalidInputError(field, `${field}: ${issue.message}. ${text}.`, { rule: issue.message });
}

/** A schema checks a list's length only after all its entries, which would take long for a list of thousands of hosts. */
function refuseLongLists(input: unknown): void {
  for (const [name, value] of Object.entries(input ?? {})) {
    if (!Array.isArray(value) || value.length <= MAX_LIST_ENTRIES) continue;
    const rule = `must have at most ${MAX_LIST_ENTRIES} entries`;
    throw new InvalidInputError(name, `${name}: ${rule}.`, { rule });
  }
}

/** Removes settings whose value is undefined, so that they count as omitted. */
function withoutUndefined(change: SettingsChange): SettingsChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
