import type { Context, Middleware } from 'koa';
import type { App } from '../../app.ts';
import { InvalidInputError } from '../../errors.ts';
import { isJsonObject, parseJsonObject } from '../../inbox/parse-json-object.ts';
import { listUnlinkedVariants } from '../../orders/unlinked/list-unlinked-variants.ts';
import { markOwnStock } from '../../orders/unlinked/mark-own-stock.ts';
import { findWaitingOrders, settleUnlinkedLines } from '../../orders/unlinked/settle-unlinked-lines.ts';
import { listMetafieldProblems } from '../../products/link-metafields/list-metafield-problems.ts';
import { recheckLinks } from '../../products/links/recheck-links.ts';
import { copyLink } from '../../products/links/copy-link.ts';
import { deleteLink } from '../../products/links/delete-link.ts';
import { exportLinks } from '../../products/links/export-links.ts';
import { importLinks } from '../../products/links/import-links.ts';
import { linkFromTemplate, parseLinksFromTemplate } from '../../products/from-template/link-from-template.ts';
import { listLinksPage } from '../../products/links/list-links.ts';
import { listVariantLinks } from '../../products/links/list-variant-links.ts';
import { nameLinks } from '../../products/links/name-links.ts';
import { refuseUnknownTargets } from '../../products/links/find-unknown-targets.ts';
import { parseLink, parseTarget, type LinkTarget } from '../../products/links/parse-link.ts';
import { MAX_LINKS_FILE_BYTES } from '../../products/links/read-links-file.ts';
import { saveLink } from '../../products/links/save-link.ts';
import { readAfter } from '../read-after.ts';
import { readParameter } from '../read-parameter.ts';
import { readRawBody } from '../raw-body.ts';
import { sendCsv } from '../send-csv.ts';
import { sessionShop } from '../sign-in/session-token.ts';

const BODY_LIMIT = 16 * 1024;
const STORE_ID = /^[1-9]\d{0,19}$/;
/** Larger, because the body may contain a file URL for each variant. */
const TEMPLATE_BODY_LIMIT = 1024 * 1024;
const TEMPLATE_MAX_VALUES = 10_000;

/** `GET /api/print-links?after=&variantId=&sku=`: a page of the shop's print links, oldest first. */
export function getPrintLinks(app: App): Middleware {
  return async (ctx) => {
    const after = readAfter(ctx, 'id');
    const isAny = ctx.query['variantId'] === undefined && ctx.query['sku'] === undefined;
    const target = isAny ? null : readTarget(ctx);
    const { printLinks, next } = await listLinksPage(app, sessionShop(ctx), { after, target });
    ctx.body = { printLinks: await nameLinks(app, sessionShop(ctx), printLinks), next };
  };
}

/**
 * `PUT /api/print-links`: saves and returns a link. The body contains the link or, with `copyFrom`, the variant or SKU to copy from. A 400
 * response names the invalid field, including when the variant or product does not exist. The status is 404 if there is no link to copy.
 */
export function putPrintLink(app: App): Middleware {
  return async (ctx) => {
    const shop = sessionShop(ctx);
    const { copyFrom, ...input } = parseJsonObject(await readRawBody(ctx, BODY_LIMIT));
    if (copyFrom === undefined) {
      await refuseUnknownTargets(app, shop, [parseLink(input)]);
      const saved = await saveLink(app, shop, input);
      const waiting = await findWaitingOrders(
        app,
        shop,
        parseTarget({ variantId: input['variantId'], sku: input['sku'] }),
      );
      ctx.body = { ...saved, ...(waiting && { waiting }) };
      return;
    }
    const { variantId, sku, ...more } = input;
    const [other] = Object.keys(more);
    if (other !== undefined) throw new InvalidInputError(other, `${other}: omit either this field or copyFrom.`);
    if (!isJsonObject(copyFrom))
      throw new InvalidInputError('copyFrom', 'copyFrom: must be an object with variantId or sku.');
    const to = parseTarget({ variantId, sku });
    await refuseUnknownTargets(app, shop, [to]);
    ctx.body = await copyLink(app, shop, { from: parseCopySource(copyFrom), to });
  };
}

/**
 * `GET /api/print-links/variants?productId=&after=` or `?variantId=`: a page of a product's variants, or one variant, each with the print
 * link that applies to it and with its connection. The status is 404 if the store does not have the product or variant.
 */
export function getVariantLinks(app: App): Middleware {
  return async (ctx) => {
    const productId = readParameter(ctx, 'productId');
    const variantId = readParameter(ctx, 'variantId');
    const id = productId ?? variantId ?? '';
    if ((productId === null) === (variantId === null) || !STORE_ID.test(id))
      throw new InvalidInputError('productId', 'productId: provide either productId or variantId, as digits.');
    const asked = { id, isProduct: productId !== null, after: readAfter(ctx, 'uid') };
    ctx.body = await listVariantLinks(app, sessionShop(ctx), asked);
  };
}

/** `GET /api/print-links/waiting?after=`: a page of the variants whose orders were not printed because the variants were not linked. */
export function getWaitingOrders(app: App): Middleware {
  return async (ctx) => {
    ctx.body = await listUnlinkedVariants(app, sessionShop(ctx), readAfter(ctx, 'uid'));
  };
}

/**
 * `POST /api/print-links/print` and `POST /api/print-links/leave` with `{"variantId" or "sku" or "all":true,"dryRun"?}`: prints the orders
 * that are waiting for a link, or leaves them to the merchant. A job does the work, so the status is 202. A dry run only lists the orders
 * and has the status 200. The status is 409 (`not_linked`) if orders cannot be printed because the target has no link.
 */
export function postSettleUnlinked(app: App, word: 'print' | 'leave'): Middleware {
  return async (ctx) => {
    const { all, dryRun = false, ...given } = parseJsonObject(await readRawBody(ctx, BODY_LIMIT));
    if (typeof dryRun !== 'boolean') throw new InvalidInputError('dryRun', 'dryRun: must be true or false.');
    const isAll = all === true && Object.keys(given).length === 0;
    const target = isAll ? null : toTarget(given);
    const asked = { word, target, isDryRun: dryRun, by: 'merchant' as const };
    ctx.body = await settleUnlinkedLines(app, sessionShop(ctx), asked);
    ctx.status = dryRun ? 200 : 202;
  };
}

/**
 * `POST /api/print-links/own` with `{"productId" or "variantId","undo"?}`: marks a product or variant as one that the merchant ships
 * without Platen. With `undo`, removes the mark.
 */
export function postOwnStock(app: App): Middleware {
  return async (ctx) => {
    const { undo = false, ...target } = parseJsonObject(await readRawBody(ctx, BODY_LIMIT));
    if (typeof undo !== 'boolean') throw new InvalidInputError('undo', 'undo: must be true or false.');
    ctx.body = { changed: await markOwnStock(app, sessionShop(ctx), target, { by: 'merchant', isUndone: undo }) };
  };
}

/** `DELETE /api/print-links?variantId=` or `?sku=`: deletes a link and responds with 204, or with 404 if the link does not exist. */
export function deletePrintLink(app: App): Middleware {
  return async (ctx) => {
    await deleteLink(app, sessionShop(ctx), readTarget(ctx));
    ctx.status = 204;
  };
}

/**
 * `POST /api/print-links/check?variantId=` or `?sku=`: starts a job that checks this link again. Without either parameter, the job checks
 * all links that have a problem. Responds with 202 and the number of links, or with 404 if the link does not exist.
 */
export function postPrintLinksCheck(app: App): Middleware {
  return async (ctx) => {
    const isAny = ctx.query['variantId'] === undefined && ctx.query['sku'] === undefined;
    const checking = await recheckLinks(app, app.db, sessionShop(ctx), isAny ? null : readTarget(ctx));
    ctx.status = 202;
    ctx.body = { checking };
  };
}

/**
 * `POST /api/print-links/import?dryRun=` with a CSV file: saves the file's links, or responds with 400 and all errors. A dry run also lists
 * what each row would do.
 */
export function postPrintLinksImport(app: App): Middleware {
  return async (ctx) => {
    const { dryRun = 'false' } = ctx.query;
    if (dryRun !== 'true' && dryRun !== 'false')
      throw new InvalidInputError('dryRun', 'dryRun: must be true or false.');
    const isDryRun = dryRun === 'true';
    const bytes = await readRawBody(ctx, MAX_LINKS_FILE_BYTES);
    const imported = await importLinks(app, sessionShop(ctx), { bytes, isDryRun, listsRows: isDryRun });
    const waiting = isDryRun ? null : await findWaitingOrders(app, sessionShop(ctx), null);
    ctx.body = { ...imported, ...(waiting && { waiting }) };
    if (isDryRun || imported.errors.length === 0) return;
    const message = 'The file contains errors, so nothing was saved. Fix the errors and import the file again.';
    ctx.status = 400;
    ctx.body = { error: { code: 'invalid_file', field: null, message }, ...imported };
  };
}

/** `GET /api/print-links/metafield-problems?after=`: a page of the variants whose metafields form no valid print link. */
export function getMetafieldProblems(app: App): Middleware {
  return async (ctx) => {
    const after = readAfter(ctx, 'variant');
    ctx.body = await listMetafieldProblems(app, sessionShop(ctx), after);
  };
}

/**
 * `POST /api/print-links/from-template`: links the store variants that have the same options as a template's variants. With `dryRun`, only
 * lists which variants would be linked, and why others would not.
 */
export function postLinksFromTemplate(app: App): Middleware {
  return async (ctx) => {
    const asked = await parseLinksFromTemplate(
      parseJsonObject(await readRawBody(ctx, TEMPLATE_BODY_LIMIT), TEMPLATE_MAX_VALUES),
    );
    ctx.body = await linkFromTemplate(app, sessionShop(ctx), asked);
  };
}

/** `GET /api/print-links/export`: all of the shop's print links as a CSV file. */
export function getPrintLinksExport(app: App): Middleware {
  return (ctx) => {
    sendCsv(ctx, 'print-links.csv', exportLinks(app, sessionShop(ctx)));
  };
}

function toTarget(given: Record<string, unknown>): LinkTarget {
  const { variantId, sku, ...more } = given;
  const [other] = Object.keys(more);
  if (other !== undefined) throw new InvalidInputError(other, `${other}: provide only one of variantId, sku or all.`);
  return parseTarget({ variantId, sku });
}

/** A repeated parameter is an array, which `parseTarget` rejects. */
function readTarget(ctx: Context): LinkTarget {
  const { variantId, sku } = ctx.query;
  return parseTarget({ variantId, sku });
}

function parseCopySource(copyFrom: Record<string, unknown>): LinkTarget {
  try {
    return parseTarget(copyFrom);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidInputError(`copyFrom.${error.field}`, `copyFrom.${error.message}`);
  }
}
