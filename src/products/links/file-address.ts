import { z } from 'zod';
import { findUrlFault } from './parse-link.ts';

const RULE = "must be the print file's address";

/** Schema for a required print file address, with a print link's rules. An empty address is rejected. */
export const fileAddress = z.string(RULE).transform((text, context) => {
  const address = text.trim();
  const fault = address === '' ? RULE : findUrlFault(address);
  if (fault === null) return address;
  context.addIssue(fault);
  return z.NEVER;
});
