import type { Settings } from '../../../shops/settings/settings.ts';
import { LONGEST_FILE_URL, readFileUrl } from '../../../products/check-link/read-file-url.ts';
import type { PlanInput } from './plan.ts';
import type { StoreLineItem } from '../../facts/store-reading.ts';

/** The URL of a print file that came with a line, as sent to the print service; or why it cannot be used. */
export type PrintFile = { url: string; fault: null } | { url: null; fault: string };

const TOO_LONG = `Its address is longer than ${LONGEST_FILE_URL} characters.`;

const OF_THE_BUNDLE =
  'It belongs to the whole bundle, so Platen cannot tell which line it is for. Have the app that writes the property write it to that line.';

const refuse = (fault: string): PrintFile => ({ url: null, fault });

/** All lines of an order are needed, to see how many a bundle has. */
type Line = Pick<StoreLineItem, 'customAttributes' | 'lineItemGroup'>;
type FileInput = Pick<PlanInput, 'order' | 'settings' | 'formerFileProperties'>;
type FileSettings = Pick<Settings, 'printFileProperty' | 'printFileHosts'>;

/**
 * Finds the print file that came with a line; null: no file came. A property that the setting named when the order was placed still counts
 * after the setting changes, so the line is never printed with the print link's file instead.
 */
export function findPrintFile({ order, settings, formerFileProperties }: FileInput, line: Line): PrintFile | null {
  for (const printFileProperty of [settings.printFileProperty, ...formerFileProperties]) {
    const file = readPrintFile(order, line, { ...settings, printFileProperty });
    if (file) return file;
  }
  return null;
}

/**
 * Reads the print file that a line names in the shop's property; null: the shop has set no property, or the line has no file. Shopify
 * keeps a bundle's properties on the bundle (LineItemGroup), so its file counts only if the bundle has one line. The buyer's input is
 * trusted only as far as its host is allowed, is never fetched here, and is never repeated in a fault.
 */
export function readPrintFile(
  { lineItems }: { lineItems: readonly Line[] },
  { customAttributes, lineItemGroup: bundle }: Line,
  { printFileProperty, printFileHosts }: FileSettings,
): PrintFile | null {
  if (printFileProperty === null) return null;
  const own = valuesOf(customAttributes, printFileProperty);
  if (own.size > 0) return readFile(own, printFileHosts);
  const ofBundle = valuesOf(bundle?.customAttributes ?? [], printFileProperty);
  if (ofBundle.size === 0) return null;
  const parts = lineItems.filter(({ lineItemGroup }) => lineItemGroup?.id === bundle?.id);
  return parts.length > 1 ? refuse(OF_THE_BUNDLE) : readFile(ofBundle, printFileHosts);
}

function valuesOf(attributes: Line['customAttributes'], property: string): Set<string> {
  return new Set(attributes.filter(({ key }) => key.trim() === property).map(({ value }) => value?.trim() ?? ''));
}

function readFile(values: ReadonlySet<string>, allowedHosts: readonly string[]): PrintFile {
  const [value = ''] = values;
  if (values.size > 1) return refuse('There is more than one.');
  if (value === '') return refuse('It is empty.');
  if (value.length > LONGEST_FILE_URL) return refuse(TOO_LONG);
  const { url, problem } = readFileUrl(value);
  if (problem !== null) return refuse(problem.message);
  // The parsed host is checked and the parsed address is sent: others might find another host in the raw text.
  if (!allowedHosts.some((host) => isOf(url.hostname, host))) return refuse('Its host is not allowed in this shop.');
  if (url.href.length > LONGEST_FILE_URL) return refuse(TOO_LONG);
  return { url: url.href, fault: null };
}

/** `*.example.com` allows every host under that name, but not the name itself. */
function isOf(hostname: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : hostname === allowed;
}
