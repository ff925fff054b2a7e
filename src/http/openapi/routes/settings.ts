import { z } from 'zod';
import type { readAlerts } from '../../../alerts/read-alerts.ts';
import { channelNames } from '../../../alerts/read-channels.ts';
import type { sendTest } from '../../../alerts/send-test.ts';
import type { countChangesToUndo } from '../../../orders/leave/count-changes-to-undo.ts';
import { previewSchema, type previewShipping } from '../../../orders/quote/preview-shipping.ts';
import type { allowOtherApp } from '../../../orders/manual-actions/allow-other-app.ts';
import type { disconnectPrintAccount } from '../../../shops/print-account/disconnect-print-account.ts';
import { optionalScopes } from '../../../shopify/auth/access-scopes.ts';
import { storedSettingsSchema, settingsSchema } from '../../../shops/settings/settings-schema.ts';
import type { showSettings } from '../../../shops/settings/settings.ts';
import { ruleSchema } from '../../../shops/settings/shipping-rules.ts';
import { jsonResponse, describeRoute, jsonBody, type ResultOf } from '../route.ts';
import { codedReason, count, shownMethod, text, time } from './shared.ts';

const secret = z
  .strictObject({ last4: z.string() })
  .meta({ id: 'Secret', description: 'The last characters of a secret. Empty if they would reveal too much.' });

const channel = z.enum(channelNames).meta({ id: 'AlertChannel' });
const problem = codedReason.nullable();

const undone = z.strictObject({
  held: count,
  tagged: count,
  orderMetafields: count,
  carrierServices: count,
  stocked: count,
  hidden: count,
  metafields: count,
  unsent: count,
  underWay: count,
  live: count,
  missingScopes: z.array(z.enum(optionalScopes)),
});

const days = { from: z.string().nullable(), to: z.string().nullable() };
const rates = z.array(z.strictObject({ name: z.string(), price: z.string(), currency: z.string(), ...days }));
const preview = jsonResponse<typeof previewShipping>()(
  z.strictObject({
    quotes: z.array(
      z.strictObject({
        methods: z.array(shownMethod),
      }),
    ),
    rule: text,
    passedOver: z.array(z.strictObject({ rule: text, why: text })),
    lack: text.nullable(),
    rates,
    fallbackRates: rates,
  }),
);

const shippingRules = z.array(ruleSchema.meta({ id: 'ShippingRule' }));

const settings = jsonResponse<typeof showSettings>()(
  storedSettingsSchema
    .extend({
      shippingRules,
      takesOrdersFrom: time,
      printKey: secret.nullable(),
      printWebhookHeader: z.strictObject({ name: z.string(), value: secret }).nullable(),
      alertSlackUrl: secret.nullable(),
    })
    .meta({ id: 'Settings' }),
);

export const settingsRoutes = [
  describeRoute('GET /api/settings', { answers: { 200: settings } }),
  describeRoute('PUT /api/settings', {
    body: jsonBody(settingsSchema.extend({ shippingRules: shippingRules.optional() })),
    answers: { 200: settings },
    errors: [400, 403],
  }),
  describeRoute('POST /api/settings/disconnect-print-account', {
    answers: {
      200: jsonResponse<{ disconnected: ResultOf<typeof disconnectPrintAccount> }>()(
        z.strictObject({ disconnected: z.boolean() }),
      ),
    },
  }),
  describeRoute('POST /api/settings/test-print-key', {
    answers: { 200: jsonResponse<{ accepted: true }>()(z.strictObject({ accepted: z.literal(true) })) },
    errors: [400],
  }),
  describeRoute('POST /api/settings/preview', {
    body: jsonBody(previewSchema),
    answers: { 200: preview },
    errors: [400, 404, 409],
  }),
  describeRoute('GET /api/alerts', {
    answers: {
      200: jsonResponse<typeof readAlerts>()(
        z.strictObject({
          canMail: z.boolean(),
          channels: z.array(
            z.strictObject({ channel, alertedAt: time.nullable(), problem, failedAt: time.nullable() }),
          ),
        }),
      ),
    },
  }),
  describeRoute('POST /api/alerts/test', {
    answers: {
      200: jsonResponse<typeof sendTest>()(z.strictObject({ channels: z.array(z.strictObject({ channel, problem })) })),
    },
    errors: [409],
  }),
  describeRoute('GET /api/leave', { answers: { 200: jsonResponse<typeof countChangesToUndo>()(undone) } }),
  describeRoute('POST /api/leave', {
    answers: { 202: jsonResponse<typeof countChangesToUndo>()(undone) },
    errors: [409],
  }),
  describeRoute('POST /api/settings/print-webhook', {
    answers: {
      200: jsonResponse<{ url: string; registered?: boolean }>()(
        z.strictObject({ url: z.string(), registered: z.boolean().exactOptional() }),
      ),
    },
  }),
  describeRoute('POST /api/settings/allow-other-app', {
    answers: {
      200: jsonResponse<{ allowed: ResultOf<typeof allowOtherApp> }>()(z.strictObject({ allowed: z.boolean() })),
    },
  }),
  describeRoute('POST /api/take-up', {
    answers: { 200: jsonResponse<{ takenUp: true }>()(z.strictObject({ takenUp: z.literal(true) })) },
  }),
];
