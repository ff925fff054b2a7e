import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { listMetafieldProblems } from '../../products/link-metafields/list-metafield-problems.ts';
import { checkAgain } from '../../products/links/check-again.ts';
import { copyLink } from '../../products/links/copy-link.ts';
import { deleteLink } from '../../products/links/delete-link.ts';
import { exportLinks } from '../../products/links/export-links.ts';
import { refuseUnknown } from '../../products/links/find-unknown.ts';
import { listLinks } from '../../products/links/list-links.ts';
import { describeTarget, parseLink, parseTarget, type LinkTarget } from '../../products/links/parse-link.ts';
import { saveLink } from '../../products/links/save-link.ts';
import { say, sayAside, sayFile, sayJsonList, sayTable } from '../../terminal.ts';
import type { Given } from '../command.ts';
import { readPages } from '../read-pages.ts';
import { sayWaiting } from '../orders/say-waiting.ts';
import { UsageError } from '../usage-error.ts';

const SKU = 'sku:';

/** Parses a print link's target from a command-line argument: a variant's ID, or `sku:` and a SKU. */
function toLinkFields(argument: string): { variantId: string } | { sku: string } {
  return argument.toLowerCase().startsWith(SKU) ? { sku: argument.slice(SKU.length) } : { variantId: argument };
}

/** Reads and validates the target of a print link. Throws InvalidInputError. */
export const toTarget = (argument: string): LinkTarget => parseTarget(toLinkFields(argument));

/** `platen links list`: lists a shop's print links and their problems. */
export async function linksList({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const links = listLinks(app, shop);
  if (json) return sayJsonList(links);
  const rows: string[][] = [];
  for await (const { variantId, sku, productUid, fileUrl, pageCount, problems } of links) {
    const variant = variantId === null ? 'all with the SKU' : numberOf(variantId);
    const found = problems.map(({ code }) => code).join(', ');
    rows.push([variant, sku ?? '', productUid, String(pageCount ?? ''), fileUrl ?? '', found]);
  }
  sayTable(['VARIANT', 'SKU', 'PRODUCT', 'PAGES', 'FILE', 'PROBLEMS'], rows);
}

interface SetOptions {
  product: string;
  file: string | undefined;
  pages: string | undefined;
  envelope: string | undefined;
  envelopes: string | undefined;
}

/** `platen links set`: saves a link. Replaces the whole link, so omitted values become empty. */
export async function linksSet(
  { args: [target = ''], options }: Pick<Given, 'args'> & { options: SetOptions },
  app: App,
  shop: Shop,
): Promise<void> {
  const link = {
    ...toLinkFields(target),
    productUid: options.product,
    fileUrl: options.file,
    pageCount: options.pages,
    envelopeProductUid: options.envelope,
    envelopesPerPiece: options.envelopes,
  };
  const notChecked = await refuseUnknown(app, shop, [parseLink(link)]);
  const saved = await saveLink(app, shop, link);
  say(`${capital(describeTarget(parseLink(link)))} is printed as ${saved.productUid}.`);
  notChecked.forEach(sayAside);
  await sayWaiting(app, shop, parseLink(link));
}

/** `platen links copy`: copies the print link of the first target to all others. */
export async function linksCopy({ args }: Given, app: App, shop: Shop): Promise<void> {
  const [from, ...to] = args.map(toTarget);
  if (from === undefined || to.length === 0)
    throw new UsageError(
      'LINK is missing: enter at least two links, each as a variant ID or as sku: followed by a SKU.',
    );
  const notChecked = await refuseUnknown(app, shop, to);
  for (const target of to) {
    await copyLink(app, shop, { from, to: target });
    say(`The print link for ${describeTarget(from)} was copied to ${describeTarget(target)}.`);
  }
  notChecked.forEach(sayAside);
}

/** `platen links delete`: deletes the given print links. */
export async function linksDelete({ args }: Given, app: App, shop: Shop): Promise<void> {
  for (const target of args.map(toTarget)) {
    await deleteLink(app, shop, target);
    say(`The print link for ${describeTarget(target)} was deleted.`);
  }
}

/** `platen links check`: rechecks the given print links, or all print links with a problem. */
export async function linksCheck({ args }: Given, app: App, shop: Shop): Promise<void> {
  let count = 0;
  for (const target of args.length === 0 ? [null] : args.map(toTarget))
    count += await checkAgain(app, app.db, shop, target);
  if (count === 0) say('No print links have problems.');
  else say(`${count} print link${count === 1 ? ' is' : 's are'} being rechecked. See "platen links list".`);
}

/** `platen links metafields`: lists the variants whose metafields do not form a print link. */
export async function linksMetafields({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const variants = readPages(async (after) => {
    const { variants: rows, next } = await listMetafieldProblems(app, shop, after);
    return { rows, next };
  });
  if (json) return sayJsonList(variants);
  const rows: string[][] = [];
  for await (const { variantId, problems } of variants)
    for (const { field, message, remedy } of problems) rows.push([numberOf(variantId), field, `${message} ${remedy}`]);
  sayTable(['VARIANT', 'METAFIELD', 'PROBLEM'], rows);
}

/** `platen links export`: writes print links to standard output, as a CSV file that `platen links import` can read. */
export function linksExport(app: App, shop: Shop): Promise<void> {
  return sayFile(exportLinks(app, shop));
}

function numberOf(gid: string): string {
  return gid.split('/').at(-1) ?? gid;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
