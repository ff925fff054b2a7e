import { z } from 'zod';
import { checkLink } from './parse-link.ts';

const RULE = "must be the print file's address";

/** Schema for a required print file address, with a print link's rules. An empty address is rejected. */
export const fileAddress = z.string(RULE).transform((text, context) => {
  const checked = checkLink({ sku: 'any', productUid: 'any', fileUrl: text });
  if (!Array.isArray(checked) && checked.fileUrl !== null) return checked.fileUrl;
  context.addIssue(Array.isArray(checked) ? (checked[0]?.message ?? RULE) : RULE);
  return z.NEVER;
});
