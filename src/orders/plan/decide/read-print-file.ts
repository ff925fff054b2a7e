import type { Settings } from '../../../shops/settings/settings.ts';
import { MAX_FILE_URL_LENGTH, readFileUrl } from '../../../products/check-link/read-file-url.ts';
import type { PlanInput } from './plan.ts';
import type { StoreLineItem } from '../../facts/store-reading.ts';

/** The URL of a print file that came with a line, as sent to the print service, or why the file cannot be used. */
export type PrintFile = { url: string; fault: null } | { url: null; fault: string };

const TOO_LONG = `The file's address is longer than ${MAX_FILE_URL_LENGTH} characters.`;

const BUNDLE_FILE_FAULT =
  'The file belongs to the whole bundle, so Platen does not know which line it is for. Have the app that sets the property add it to that line instead.';

const refuse = (fault: string): PrintFile => ({ url: null, fault });

type Line = Pick<StoreLineItem, 'customAttributes' | 'lineItemGroup'>;
type FileInput = Pick<PlanInput, 'order' | 'settings' | 'formerFileProperties'>;
type FileSettings = Pick<Settings, 'printFileProperty' | 'printFileHosts'>;

/**
 * Finds the print file that came with a line. Returns null if the line has no file. If the setting has changed since the order was placed,
 * the former property still counts. Otherwise, the line would be printed with the print link's file.
 */
export function findPrintFile({ order, settings, formerFileProperties }: FileInput, line: Line): PrintFile | null {
  for (const printFileProperty of [settings.printFileProperty, ...formerFileProperties]) {
    const file = readPrintFile(order, line, { ...settings, printFileProperty });
    if (file) return file;
  }
  return null;
}

/**
 * Reads a line's print file from the property that the shop has set. Returns null if the shop has set no property, or the line has no file.
 * Shopify stores a bundle's properties on the bundle (LineItemGroup), so a file there counts only if the bundle has one line. The value is
 * the buyer's input: its host must be allowed, the file is never fetched here, and a fault never contains the value.
 */
export function readPrintFile(
  { lineItems }: { lineItems: readonly Line[] },
  { customAttributes, lineItemGroup: bundle }: Line,
  { printFileProperty, printFileHosts }: FileSettings,
): PrintFile | null {
  if (printFileProperty === null) return null;
  const own = getValues(customAttributes, printFileProperty);
  if (own.size > 0) return readFile(own, printFileHosts);
  const ofBundle = getValues(bundle?.customAttributes ?? [], printFileProperty);
  if (ofBundle.size === 0) return null;
  const parts = lineItems.filter(({ lineItemGroup }) => lineItemGroup?.id === bundle?.id);
  return parts.length > 1 ? refuse(BUNDLE_FILE_FAULT) : readFile(ofBundle, printFileHosts);
}

function getValues(attributes: Line['customAttributes'], property: string): Set<string> {
  return new Set(attributes.filter(({ key }) => key.trim() === property).map(({ value }) => value?.trim() ?? ''));
}

function readFile(values: ReadonlySet<string>, allowedHosts: readonly string[]): PrintFile {
  const [value = ''] = values;
  if (values.size > 1) return refuse('The property has more than one value.');
  if (value === '') return refuse('The property is empty.');
  if (value.length > MAX_FILE_URL_LENGTH) return refuse(TOO_LONG);
  const { url, problem } = readFileUrl(value);
  if (problem !== null) return refuse(problem.message);
  // Both the check and the request use the parsed URL, because another parser might find a different host in the raw text.
  if (!allowedHosts.some((host) => matchesHost(url.hostname, host)))
    return refuse("The file's host is not allowed in this shop.");
  if (url.href.length > MAX_FILE_URL_LENGTH) return refuse(TOO_LONG);
  return { url: url.href, fault: null };
}

/** `*.example.com` allows every host under that name, but not the name itself. */
function matchesHost(hostname: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : hostname === allowed;
}
