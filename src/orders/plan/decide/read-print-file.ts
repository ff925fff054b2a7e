import type { Settings } from '../../../shops/settings/settings.ts';
import { LONGEST_FILE_URL, readFileUrl } from '../../../products/check-link/read-file-url.ts';
import type { PlanInput } from './plan.ts';
import type { StoreLineItem } from '../../facts/store-reading.ts';

/** The address of a print file that came with the line, as the print service is given it; or what is wrong with it. */
export type PrintFile = { url: string; fault: null } | { url: null; fault: string };

const TOO_LONG = `Its address is longer than ${LONGEST_FILE_URL} characters.`;

const OF_THE_BUNDLE =
  'It came with the whole bundle, and nothing says which line of the bundle is printed with it: have the app of the form or of the bundle write the property into that line.';

const refuse = (fault: string): PrintFile => ({ url: null, fault });

/** Of every line of an order: how many a bundle has is seen in all of them. */
type Line = Pick<StoreLineItem, 'customAttributes' | 'lineItemGroup'>;
type FileInput = Pick<PlanInput, 'order' | 'settings' | 'formerFileProperties'>;
type FileSettings = Pick<Settings, 'printFileProperty' | 'printFileHosts'>;

/**
 * The print file that a line brought with it; null: it brought none. One in a property that the shop's setting named when the order
 * was placed stays its own while the setting names another property by now, or none: it is never printed with the print link's file
 * instead.
 */
export function findPrintFile({ order, settings, formerFileProperties }: FileInput, line: Line): PrintFile | null {
  for (const printFileProperty of [settings.printFileProperty, ...formerFileProperties]) {
    const file = readPrintFile(order, line, { ...settings, printFileProperty });
    if (file) return file;
  }
  return null;
}

/**
 * The print file that a line names in the property that the shop has set for it; null: the shop has set none, or the line has none.
 * What was asked of a bundle Shopify keeps with the bundle (LineItemGroup) and not with its lines: its file is that of a bundle's only line,
 * and of several lines nothing says which is meant. What a buyer typed is trusted as far as its host is allowed, and never fetched here. A
 * fault repeats nothing of it.
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
  // The host as it was read counts, and the address goes on as it was read: others might find another host in what was typed.
  if (!allowedHosts.some((host) => isOf(url.hostname, host)))
    return refuse('Its host is not one that this shop allows.');
  if (url.href.length > LONGEST_FILE_URL) return refuse(TOO_LONG);
  return { url: url.href, fault: null };
}

/** `*.example.com` is every host under that name, without that name itself. */
function isOf(hostname: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : hostname === allowed;
}
