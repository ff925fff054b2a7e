import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { listMetafieldProblems } from '../../products/link-metafields/list-metafield-problems.ts';
import { recheckLinks } from '../../products/links/recheck-links.ts';
import { copyLink } from '../../products/links/copy-link.ts';
import { deleteLink } from '../../products/links/delete-link.ts';
import { exportLinks } from '../../products/links/export-links.ts';
import { refuseUnknownTargets } from '../../products/links/find-unknown-targets.ts';
import { listLinks } from '../../products/links/list-links.ts';
import { describeTarget, parseLink, parseTarget, type LinkTarget } from '../../products/links/parse-link.ts';
import { saveLink } from '../../products/links/save-link.ts';
import { writeLine, writeErrorLine, writeTexts, writeJsonList, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { readPages } from '../read-pages.ts';
import { reportWaitingOrders } from '../orders/report-waiting-orders.ts';
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
  if (json) return writeJsonList(links);
  const rows: string[][] = [];
  for await (const { variantId, sku, productUid, fileUrl, pageCount, problems } of links) {
    const variant = variantId === null ? 'all with the SKU' : toNumericId(variantId);
    const found = problems.map(({ code }) => code).join(', ');
    rows.push([variant, sku ?? '', productUid, String(pageCount ?? ''), fileUrl ?? '', found]);
  }
  writeTable(['VARIANT', 'SKU', 'PRODUCT', 'PAGES', 'FILE', 'PROBLEMS'], rows);
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
  { args: [target = ''], options }: Pick<GivenArguments, 'args'> & { options: SetOptions },
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
  const notChecked = await refuseUnknownTargets(app, shop, [parseLink(link)]);
  const saved = await saveLink(app, shop, link);
  writeLine(`${capitalize(describeTarget(parseLink(link)))} is printed as ${saved.productUid}.`);
  notChecked.forEach(writeErrorLine);
  await reportWaitingOrders(app, shop, parseLink(link));
}

/** `platen links copy`: copies the print link of the first target to all others. */
export async function linksCopy({ args }: GivenArguments, app: App, shop: Shop): Promise<void> {
  const [from, ...to] = args.map(toTarget);
  if (from === undefined || to.length === 0)
    throw new UsageError(
      'LINK is missing: enter at least two links, each as a variant ID or as sku: followed by a SKU.',
    );
  const notChecked = await refuseUnknownTargets(app, shop, to);
  for (const target of to) {
    await copyLink(app, shop, { from, to: target });
    writeLine(`The print link for ${describeTarget(from)} was copied to ${describeTarget(target)}.`);
  }
  notChecked.forEach(writeErrorLine);
}

/** `platen links delete`: deletes the given print links. */
export async function linksDelete({ args }: GivenArguments, app: App, shop: Shop): Promise<void> {
  for (const target of args.map(toTarget)) {
    await deleteLink(app, shop, target);
    writeLine(`The print link for ${describeTarget(target)} was deleted.`);
  }
}

/** `platen links check`: rechecks the given print links, or all print links with a problem. */
export async function linksCheck({ args }: GivenArguments, app: App, shop: Shop): Promise<void> {
  let count = 0;
  for (const target of args.length === 0 ? [null] : args.map(toTarget))
    count += await recheckLinks(app, app.db, shop, target);
  if (count === 0) writeLine('No print links have problems.');
  else writeLine(`${count} print link${count === 1 ? ' is' : 's are'} being rechecked. See "platen links list".`);
}

/** `platen links metafields`: lists the variants whose metafields do not form a print link. */
export async function linksMetafields({ json }: { json: boolean }, app: App, shop: Shop): Promise<void> {
  const variants = readPages(async (after) => {
    const { variants: rows, next } = await listMetafieldProblems(app, shop, after);
    return { rows, next };
  });
  if (json) return writeJsonList(variants);
  const rows: string[][] = [];
  for await (const { variantId, problems } of variants)
    for (const { field, message, remedy } of problems)
      rows.push([toNumericId(variantId), field, `${message} ${remedy}`]);
  writeTable(['VARIANT', 'METAFIELD', 'PROBLEM'], rows);
}

/** `platen links export`: writes print links to standard output, as a CSV file that `platen links import` can read. */
export function linksExport(app: App, shop: Shop): Promise<void> {
  return writeTexts(exportLinks(app, shop));
}

function toNumericId(gid: string): string {
  return gid.split('/').at(-1) ?? gid;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
