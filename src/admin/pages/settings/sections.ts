import type { SettingName } from '../../../shops/settings/settings-schema.ts';

/** Describes the form field for a setting or for a part of a setting. */
export type Field = { name: string } & (
  | { kind: 'switch' | 'text' | 'amount' | 'list' | 'day' | 'moment'; empty?: Empty }
  | { kind: 'number'; unit?: 'minutes' | 'seconds' | 'days'; empty?: Empty }
  | { kind: 'choice'; options: readonly string[]; empty?: Empty }
  | { kind: 'group'; fields: readonly Field[]; empty?: Empty }
  | { kind: 'rows'; row: readonly Field[]; empty?: Empty }
);

/** The value that is saved for an empty field. If absent, an empty field is omitted from its group. */
type Empty = 'null' | 'list' | 'object' | 'text';

/** The field of a whole setting, not of a part. */
export type SettingField = Field & { name: SettingName };

const nullable = { empty: 'null' } as const;
const list = { empty: 'list' } as const;
const object = { empty: 'object' } as const;

const priceRow: readonly Field[] = [
  { name: 'countries', kind: 'list', ...list },
  { name: 'amount', kind: 'amount', empty: 'text' },
  { name: 'perItem', kind: 'amount' },
];
const TYPES = ['normal', 'standard', 'express'] as const;

/**
 * The settings by task, in the order in which the pages show them. `test/admin/pages/settings/sections.test.ts` checks that none is
 * missing.
 */
export const SECTIONS = {
  connection: [
    { name: 'submit', kind: 'choice', options: ['draft', 'direct'] },
    { name: 'printInterface', kind: 'choice', options: ['current', 'v2', 'v1'] },
    { name: 'extendedCalls', kind: 'switch' },
    { name: 'legacyHost', kind: 'choice', options: ['live', 'test'] },
    { name: 'currency', kind: 'text', ...nullable },
  ],
  release: [
    { name: 'release', kind: 'choice', options: ['automatic', 'daily', 'by_hand'] },
    { name: 'dailyReleaseAt', kind: 'text', empty: 'text' },
    { name: 'delayMinutes', kind: 'number', unit: 'minutes', empty: 'text' },
    {
      name: 'approvalRules',
      kind: 'group',
      ...object,
      fields: [
        { name: 'minimumTotal', kind: 'amount' },
        { name: 'productTags', kind: 'list' },
        { name: 'firstTimeBuyers', kind: 'switch' },
      ],
    },
    { name: 'unpaidOrders', kind: 'choice', options: ['wait', 'print'] },
    { name: 'highRiskOrders', kind: 'choice', options: ['hold', 'print'] },
    { name: 'testOrders', kind: 'choice', options: ['ignore', 'draft'] },
    { name: 'takesOrdersFrom', kind: 'moment', empty: 'text' },
    { name: 'sendsRestOfHeldOrders', kind: 'switch' },
    { name: 'leavesDrafts', kind: 'switch' },
    { name: 'printsAtMerchantLocations', kind: 'switch' },
    { name: 'submitsRequests', kind: 'switch' },
  ],
  shipping: [
    {
      name: 'shippingRules',
      kind: 'rows',
      ...list,
      row: [
        { name: 'name', kind: 'text', empty: 'text' },
        {
          name: 'when',
          kind: 'group',
          fields: [
            { name: 'countries', kind: 'list' },
            { name: 'title', kind: 'text' },
            { name: 'code', kind: 'text' },
            { name: 'skus', kind: 'list' },
            { name: 'productUids', kind: 'list' },
            { name: 'productTags', kind: 'list' },
            { name: 'lines', kind: 'choice', options: ['any', 'every'] },
          ],
        },
        {
          name: 'choose',
          kind: 'group',
          ...object,
          fields: [
            { name: 'by', kind: 'choice', options: ['cheapest', 'fastest'] },
            { name: 'types', kind: 'list' },
            { name: 'methodUids', kind: 'list' },
            { name: 'days', kind: 'number', unit: 'days' },
            { name: 'date', kind: 'day' },
            { name: 'mostParcels', kind: 'number' },
            { name: 'incoTerms', kind: 'list' },
          ],
        },
      ],
    },
    { name: 'allowMultipleQuotes', kind: 'switch' },
  ],
  rates: [
    { name: 'liveRates', kind: 'switch' },
    {
      name: 'rateMargin',
      kind: 'group',
      ...nullable,
      fields: [
        { name: 'percent', kind: 'amount' },
        { name: 'amount', kind: 'amount' },
      ],
    },
    {
      name: 'rateRounding',
      kind: 'group',
      ...nullable,
      fields: [
        { name: 'to', kind: 'amount' },
        { name: 'ending', kind: 'amount' },
      ],
    },
    { name: 'ratesFreeFrom', kind: 'amount', ...nullable },
    {
      name: 'rateNames',
      kind: 'group',
      ...object,
      fields: TYPES.map((name) => ({ name, kind: 'text' as const })),
    },
    {
      name: 'fallbackRates',
      kind: 'rows',
      ...list,
      row: [
        { name: 'name', kind: 'text', empty: 'text' },
        ...priceRow,
        { name: 'type', kind: 'choice', options: TYPES },
      ],
    },
    { name: 'ownStockRates', kind: 'rows', ...list, row: [...priceRow, { name: 'alone', kind: 'switch' }] },
  ],
  address: [
    { name: 'fallbackEmail', kind: 'text', ...nullable },
    { name: 'postCodePlaceholder', kind: 'text', empty: 'text' },
    {
      name: 'returnAddress',
      kind: 'group',
      ...nullable,
      fields: [
        'companyName',
        'addressLine1',
        'addressLine2',
        'postCode',
        'city',
        'state',
        'country',
        'email',
        'phone',
      ].map((name) => ({ name, kind: 'text' as const })),
    },
  ],
  buyers: [
    { name: 'notifyCustomer', kind: 'switch' },
    { name: 'gatherSeconds', kind: 'number', unit: 'seconds', empty: 'text' },
    { name: 'noTrackingDays', kind: 'number', unit: 'days', empty: 'text' },
    { name: 'fulfillsWithoutTracking', kind: 'switch' },
    {
      name: 'packingSlip',
      kind: 'group',
      ...nullable,
      fields: [
        { name: 'logoUrl', kind: 'text' },
        { name: 'message', kind: 'text' },
        { name: 'printsNote', kind: 'switch' },
      ],
    },
  ],
  alerts: [
    { name: 'alertEmails', kind: 'list', ...list },
    { name: 'alertLanguage', kind: 'choice', options: ['en', 'de'] },
    { name: 'weeklyDigest', kind: 'switch' },
  ],
  store: [
    { name: 'tagsOrders', kind: 'switch' },
    { name: 'writesOrderMetafields', kind: 'switch' },
    { name: 'writesConnectionStatus', kind: 'switch' },
    { name: 'holdsInStore', kind: 'switch' },
  ],
  products: [
    { name: 'printsWaitingOrders', kind: 'switch' },
    { name: 'printsEverything', kind: 'switch' },
    { name: 'stockAtLocation', kind: 'switch' },
    { name: 'hideOutOfStock', kind: 'switch' },
    { name: 'stockRegions', kind: 'list', ...nullable },
    { name: 'printLinkMetafields', kind: 'text', ...nullable },
    { name: 'printFileProperty', kind: 'text', ...nullable },
    { name: 'printFileHosts', kind: 'list', ...list },
    { name: 'printStoreId', kind: 'text', ...nullable },
  ],
  privacy: [
    { name: 'retentionDays', kind: 'number', unit: 'days', empty: 'text' },
    { name: 'sendsCustomerId', kind: 'switch' },
  ],
  leaving: [],
} as const satisfies Record<string, readonly SettingField[]>;

export type Section = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as Section[];
