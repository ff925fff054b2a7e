import { z } from 'zod';
import { flag } from './setting-types.ts';

const MAX_EMAILS = 5;
const MAX_EMAIL_LENGTH = 254;
const EMAIL = 'must be email addresses such as orders@example.com';

/** The settings of alerts and digests. The address of a chat is a secret, so `settings-schema.ts` defines it. */
export const alertSettings = {
  alertEmails: z
    .array(z.string(EMAIL).trim().max(MAX_EMAIL_LENGTH, { error: EMAIL, abort: true }).pipe(z.email(EMAIL)), EMAIL)
    .refine((emails) => emails.length <= MAX_EMAILS, `must have at most ${MAX_EMAILS} email addresses`)
    .describe(
      'Email addresses that receive a message when orders are on hold or a connection fails, such as orders@example.com',
    ),
  alertLanguage: z.enum(['en', 'de'], 'must be en or de').describe('The language of alerts and of the weekly digest'),
  weeklyDigest: flag.describe(
    "Send the recipients of alerts a digest of the week's orders, time to ship, costs and holds, on Mondays after 8:00 in the shop's time zone",
  ),
};

export const alertDefaults = {
  alertEmails: [],
  alertLanguage: 'en' as const,
  weeklyDigest: true,
};
