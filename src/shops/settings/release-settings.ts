import { z } from 'zod';
import { decimal, flag, plainText, wholeNumber } from './setting-types.ts';

const MAX_DELAY_MINUTES = 43_200;
const MAX_TAGS = 50;
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Settings for when orders are sent to print, and which orders wait for approval. */
export const releaseSettings = {
  delayMinutes: wholeNumber(0, MAX_DELAY_MINUTES).describe('Minutes to wait after an order arrives before printing it'),
  release: z
    .enum(['automatic', 'daily', 'by_hand'], 'must be automatic, daily or by_hand')
    .describe('When orders are sent to print: automatically, together once a day, or when someone approves them'),
  dailyReleaseAt: z
    .string()
    .regex(TIME_OF_DAY, 'must be a time such as 18:00')
    .describe("Time of the daily release, in the shop's time zone"),
  approvalRules: z
    .strictObject({
      minimumTotal: decimal.nullable().optional(),
      productTags: z
        .array(plainText(255))
        .refine((tags) => tags.length <= MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
        .optional(),
      firstTimeBuyers: z.boolean('must be true or false').optional(),
    })
    .describe(
      'Orders that need approval regardless of the release setting: with at least a minimum total, with a tagged product or from a first-time buyer, such as {"minimumTotal":"500.00","productTags":["custom"],"firstTimeBuyers":true}',
    ),
  testOrders: z
    .enum(['ignore', 'draft'], 'must be ignore or draft')
    .describe('Whether test orders are ignored or created as drafts that are never printed (with submit=draft)'),
  highRiskOrders: z
    .enum(['hold', 'print'], 'must be hold or print')
    .describe(
      'Whether orders that the store rates as likely fraud wait for a decision or are printed like others. With hold, new orders wait for the fraud analysis (at most 15 minutes, or 60 while the analysis is pending)',
    ),
  unpaidOrders: z
    .enum(['wait', 'print'], 'must be wait or print')
    .describe('Whether unpaid orders wait for payment or are printed'),
  leavesDrafts: flag.describe(
    "Leave print orders as drafts in the print service's dashboard. Nothing is printed or charged until someone releases them there",
  ),
};

export const releaseDefaults = {
  delayMinutes: 30,
  release: 'automatic' as const,
  dailyReleaseAt: '18:00',
  approvalRules: {},
  testOrders: 'ignore' as const,
  highRiskOrders: 'hold' as const,
  unpaidOrders: 'wait' as const,
  leavesDrafts: false,
};
