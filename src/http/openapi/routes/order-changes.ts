import { z } from 'zod';
import { addressSchema, type AddressForm } from '../../../orders/manual-actions/changes/address-form.ts';
import type { correctAddress, showAddress } from '../../../orders/manual-actions/changes/correct-address.ts';
import type { chooseMethod } from '../../../orders/manual-actions/changes/choose-method.ts';
import type { showUnsent } from '../../../orders/manual-actions/changes/show-unsent.ts';
import type { offerShipping } from '../../../orders/manual-actions/changes/offer-shipping.ts';
import type { ShownRecipients } from '../../../orders/manual-actions/show-recipients.ts';
import { chooseSchema } from '../../api/order-shipping.ts';
import { jsonResponse, describeRoute } from '../route.ts';
import { quotedCost } from './costs.ts';
import { count, orderIdSchema, shownMethod, text } from './shared.ts';

const changes = z.array(
  z.strictObject({ field: z.string(), from: z.string().nullable(), to: z.string().nullable(), why: text }),
);

const file = {
  sku: z.string().nullable(),
  url: z.string().nullable(),
  isFromOrder: z.boolean().meta({ description: 'Whether a property of the line names the file.' }),
};

const unsent = z.strictObject({
  address: z.record(z.string(), z.string()),
  changes,
  fault: text.nullable(),
  files: z.array(z.strictObject({ ...file, quantity: count })),
});

const recipients = z.strictObject({
  recipients: z.array(
    z.strictObject({
      reference: z.string(),
      sent: z
        .strictObject({
          address: z.record(z.string(), z.string()),
          changes,
          files: z.array(z.strictObject({ ...file, linkUrl: z.string().nullable() })),
        })
        .nullable(),
    }),
  ),
  storeAddress: z.record(z.string(), z.string()).nullable(),
});

const shownAddress = z.strictObject({
  address: z.strictObject(
    Object.fromEntries(Object.keys(addressSchema.shape).map((name) => [name, z.string()])) as Record<
      keyof AddressForm,
      z.ZodString
    >,
  ),
  fault: z.strictObject({ field: z.string(), message: text }).nullable(),
  sent: z.array(z.string()),
});

const offeredShipping = z
  .strictObject({
    byHand: z.string().nullable(),
    parts: z.array(
      z.strictObject({
        lines: z.array(z.strictObject({ sku: z.string().nullable(), quantity: count })),
        methods: z.array(
          z.strictObject({ ...shownMethod.shape, difference: z.string().nullable() }).meta({ id: 'OfferedMethod' }),
        ),
        cost: quotedCost,
        rule: text.nullable(),
        lack: text.nullable(),
      }),
    ),
  })
  .meta({ id: 'OfferedShipping' });

/** The routes that show what an order sends to print, and change its address and its shipping method. */
export const orderChangesRoutes = [
  describeRoute('GET /api/orders/:id/recipients', {
    params: z.object({ id: orderIdSchema }),
    answers: { 200: jsonResponse<ShownRecipients>()(recipients) },
    errors: [404],
  }),
  describeRoute('GET /api/orders/:id/unsent', {
    params: z.object({ id: orderIdSchema }),
    answers: { 200: jsonResponse<typeof showUnsent>()(unsent) },
    errors: [404, 409],
  }),
  describeRoute('GET /api/orders/:id/address', {
    params: z.object({ id: orderIdSchema }),
    answers: { 200: jsonResponse<typeof showAddress>()(shownAddress) },
    errors: [404, 409],
  }),
  describeRoute('PUT /api/orders/:id/address', {
    params: z.object({ id: orderIdSchema }),
    body: { type: 'application/json', schema: addressSchema, isRequired: true },
    answers: { 200: jsonResponse<typeof correctAddress>()(z.strictObject({ done: z.array(text) })) },
    errors: [400, 403, 404, 409],
  }),
  describeRoute('GET /api/orders/:id/shipping', {
    params: z.object({ id: orderIdSchema }),
    answers: { 200: jsonResponse<typeof offerShipping>()(offeredShipping) },
    errors: [404, 409],
  }),
  describeRoute('POST /api/orders/:id/shipping', {
    params: z.object({ id: orderIdSchema }),
    body: { type: 'application/json', schema: chooseSchema, isRequired: true },
    answers: { 200: jsonResponse<typeof chooseMethod>()(z.strictObject({ done: z.array(text) })) },
    errors: [400, 404, 409],
  }),
];
