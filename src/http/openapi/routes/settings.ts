import { z } from 'zod';
import type { allowOtherApp } from '../../../orders/by-hand/allow-other-app.ts';
import type { disconnectPrintAccount } from '../../../shops/print-account/disconnect-print-account.ts';
import { keptSettingsSchema, settingsSchema } from '../../../shops/settings/settings-schema.ts';
import type { showSettings } from '../../../shops/settings/settings.ts';
import { ruleSchema } from '../../../shops/settings/shipping-rules.ts';
import { answer, describeRoute, jsonBody, type Returned } from '../route.ts';
import { time } from './shared.ts';

const secret = z
  .strictObject({ last4: z.string() })
  .meta({ id: 'Secret', description: 'The last characters of a secret. Empty if they would reveal too much.' });

const shippingRules = z.array(ruleSchema.meta({ id: 'ShippingRule' }));

const settings = answer<typeof showSettings>()(
  keptSettingsSchema
    .extend({
      shippingRules,
      takesOrdersFrom: time,
      printKey: secret.nullable(),
      printWebhookHeader: z.strictObject({ name: z.string(), value: secret }).nullable(),
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
      200: answer<{ disconnected: Returned<typeof disconnectPrintAccount> }>()(
        z.strictObject({ disconnected: z.boolean() }),
      ),
    },
  }),
  describeRoute('POST /api/settings/print-webhook', {
    answers: {
      200: answer<{ url: string; registered?: boolean }>()(
        z.strictObject({ url: z.string(), registered: z.boolean().exactOptional() }),
      ),
    },
  }),
  describeRoute('POST /api/settings/allow-other-app', {
    answers: { 200: answer<{ allowed: Returned<typeof allowOtherApp> }>()(z.strictObject({ allowed: z.boolean() })) },
  }),
  describeRoute('POST /api/take-up', {
    answers: { 200: answer<{ takenUp: true }>()(z.strictObject({ takenUp: z.literal(true) })) },
  }),
];
