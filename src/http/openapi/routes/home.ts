import { z } from 'zod';
import { optionalScopes } from '../../../shopify/auth/access-scopes.ts';
import { settingScopes } from '../../../shops/tokens/scopes.ts';
import { guideSchema } from '../../api/home.ts';
import type { HomeData } from '../../pages/admin/read-home.ts';
import { jsonResponse, describeRoute, jsonBody } from '../route.ts';
import { orderLabel, shownHold, wait } from './orders.ts';
import { count, text, time } from './shared.ts';

const percentiles = z.strictObject({ median: z.number(), p95: z.number() }).meta({ id: 'Percentiles' });

const times = { toPrint: percentiles.nullable(), toShipment: percentiles.nullable() };

const overview = {
  holds: z.array(
    z.strictObject({
      code: z.string(),
      orders: count,
      since: time,
      oldest: shownHold.extend({ orderId: z.string(), name: z.string() }).meta({ id: 'OldestHold' }),
    }),
  ),
  days: z.array(z.strictObject({ day: z.iso.date(), states: z.partialRecord(orderLabel, count) })),
  times: z.strictObject({ ...times, days: z.array(z.strictObject({ day: z.iso.date(), ...times })) }),
};

const meters = {
  meters: z.array(
    z
      .strictObject({
        name: z.enum(['tracking', 'requests', 'cancellations', 'callbacks', 'fastRates', 'answeredRates']),
        counted: count,
        passed: count,
        percent: z.number().nullable(),
        target: z.number(),
        isMet: z.boolean().nullable(),
      })
      .meta({ id: 'Meter' }),
  ),
  ratesWithinMs: count.nullable(),
  receivedAt: z.strictObject({ store: time.nullable(), print: time.nullable() }),
};

const connections = z
  .strictObject({
    store: z.strictObject({
      domain: z.string(),
      installedAt: time,
      refusedAt: time.nullable(),
      fencedOffAt: time.nullable(),
      editRequestsHiddenAt: time.nullable(),
      missingScopes: z.array(z.string()),
    }),
    printAccount: z
      .strictObject({
        state: z.enum(['working', 'refused']),
        refusedAt: time.nullable(),
        paymentRefusedAt: time.nullable(),
        message: z.string().nullable(),
        waitingForPayment: count,
      })
      .nullable(),
    printAddressMadeAt: time.nullable(),
    silent: z.strictObject({ shopify: time.nullable(), print: time.nullable() }),
    settingsWithoutScope: z.array(
      z.strictObject({
        setting: z.enum(Object.keys(settingScopes) as (keyof typeof settingScopes)[]),
        scope: z.enum(optionalScopes),
      }),
    ),
    rates: z
      .strictObject({ problem: z.string().nullable(), isRegistered: z.boolean(), hasFallback: z.boolean() })
      .nullable(),
    dataRequests: z.array(z.strictObject({ id: z.string(), receivedAt: time, dueAt: time })),
    heldByPrintService: z.array(z.strictObject({ id: z.string(), orders: z.array(z.string()) })),
  })
  .meta({ id: 'Connections' });

const home = z.strictObject({
  ...overview,
  ...meters,
  quietUntil: time.nullable(),
  rebuild: z.strictObject({ left: count, rebuilt: count, held: count }).nullable(),
  polledAt: z.strictObject({ store: time.nullable(), print: time.nullable() }),
  guide: z.strictObject({
    isDismissed: z.boolean(),
    hasKey: z.boolean(),
    hasAddress: z.boolean(),
    hasLink: z.boolean(),
    hasRules: z.boolean(),
    hasOrder: z.boolean(),
  }),
  keyLast4: z.string().nullable(),
  connections,
  ratesProblem: z.strictObject({ says: text, message: text, steps: text }).nullable(),
  waiting: z.strictObject({
    orders: z.array(
      z.strictObject({ orderId: z.string(), name: z.string(), waits: z.array(wait), isEndedByApproval: z.boolean() }),
    ),
    total: count,
  }),
  unlinked: z.strictObject({ notLinked: count, linked: count }),
});

export const homeRoutes = [
  describeRoute('GET /api/home', { answers: { 200: jsonResponse<HomeData>()(home) } }),
  describeRoute('PUT /api/home/guide', { body: jsonBody(guideSchema), answers: { 204: null }, errors: [400] }),
];
