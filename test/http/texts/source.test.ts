import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { translateToGerman } from '../../../src/http/texts/german.ts';

const SRC = join(import.meta.dirname, '../../../src');
/** Folders of `src` whose sentences a page may show. */
const FOLDERS = [
  'alerts',
  'http/api',
  'http/limits',
  'http/pages',
  'http/sign-in',
  'inbox',
  'shipments',
  'store-status',
  'orders',
  'rates',
  'products',
  'shops',
  'polls',
];
/**
 * Sample values for the placeholders of a message. A message counts as translated if it has a translation with one sample in all
 * placeholders.
 */
const SAMPLES = ['X1', 'x.y'];
/** Files whose sentences appear only in the log or in the output for an operator, and never on a page. */
const OPERATOR_ONLY = [
  // These pages contain both languages.
  'http/pages/packing-slips/slip-texts.ts',
  'http/pages/show-left-shop-page.ts',
  'alerts/messages/texts-de.ts',
  'alerts/messages/texts-en.ts',
  'inbox/create-batcher.ts',
  'inbox/set-aside.ts',
  'inbox/spool-file.ts',
  'inbox/spool.ts',
  'orders/draft-check/delete-check-drafts.ts',
  'orders/draft-check/open-draft-check.ts',
  'orders/draft-check/run-draft-check.ts',
  'orders/rows/order-session.ts',
  'orders/costs/total-costs.ts',
  'orders/store-view/to-extras.ts',
  'shops/find-shop.ts',
  'shops/install/installation.ts',
  'shops/keys/rotate-keys.ts',
  'shops/print-account/find-key-problem.ts',
  'shops/print-account/print-account.ts',
];
/** Sentences that are composed of several texts. The checks of stored texts and of API responses cover them. */
const COMPOSED = [
  'shipments/update-tracking.ts: The print service has corrected tracking codes: a fulfillment of … in the store no longer has ……',
  'orders/submit/begin-attempt.ts: …: Platen … (attempt …)',
  'orders/submit/draft/adopt-order.ts: … … found that … not sent',
  'orders/submit/draft/compare-draft.ts: …: … … sent, but the draft has none',
  'orders/submit/draft/compare-draft.ts: …: … … sent, but the draft has …',
  'orders/submit/draft/compare-draft.ts: … … added to the draft',
  'orders/address/fit-address-lines.ts: …; abbreviated words: …',
  'orders/plan/decide/plan-fulfillment-order.ts: … has an unusable print file…. …',
  'orders/plan/settle-fulfillment-requests.ts: The fulfillment …: …',
  'orders/plan/record-unprinted-lines.ts: Not printed by Platen: ……',
  'orders/plan/decide/plan-order.ts: … … of … went to print before Platen was removed from this store. …',
  'orders/plan/reconcile-print-orders.ts: …: … …, … … to print',
  'orders/plan/decide/find-change.ts: …: … in this print order … no longer wanted',
  'orders/plan/decide/find-change.ts: …: … … fulfillment was moved in the store to a location where Platen does not print',
  'orders/follow/fulfill-untracked-parcels.ts: … was shipped more than … … ago, but the print service has not reported all its tracking codes',
  'orders/manual-actions/approve-order.ts: … is a draft…: approve this print order by its reference to confirm it there, or choose "Print again" for it',
  'orders/manual-actions/retry-order.ts: …: Platen …',
  'orders/manual-actions/describe-approval.ts: … …: the approval changes nothing',
  'orders/manual-actions/describe-cancellation.ts: Platen is asking the print service to cancel …, …. The timeline will show the result',
  'orders/backfill/start-backfill.ts: … of this shop is under way. You can start the next one when it ends',
  'products/store-products/find-problem.ts: The print service could not publish the product to your store…',
  'products/store-products/find-problem.ts: … not connected, and their orders are held',
  'products/print-service/parse-input.ts: …: is not a known field…',
  'products/new-products/fill-template.ts: …: the template has no such …. …',
  'products/new-products/create-new-product.ts: The print service refuses the product…. Correct the request and send it again',
  'shops/settings/settings.ts: …: …. Otherwise, do not leave print orders as drafts',
  'orders/waits/record-step-wait.ts: …… Platen has been trying since … and keeps trying',
];

test('each sentence in the source that a page may show has a German translation', () => {
  const untranslated = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: SRC }))
    .flatMap(findSentences)
    .filter(({ file, text }) => !OPERATOR_ONLY.includes(file) && !isTranslated(text))
    .map(({ file, text }) => `${file}: ${text.replace(/\.$/, '').replaceAll('\0', '…')}`);
  expect(untranslated.toSorted()).toEqual(COMPOSED.toSorted());
});

/** Files whose technical names appear only on the command line and in the API, or are the headings of the merchant's own file. */
const TECHNICAL_FILES = [
  'http/api/print-links.ts',
  'orders/backfill/refuse-if-others-printed.ts',
  'orders/backfill/start-backfill.ts',
  'orders/unlinked/mark-own-stock.ts',
  'products/links/read-links-file.ts',
];

test('no sentence that a page may show contains the name of a setting, a field or a permission', () => {
  const named = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: SRC }))
    .flatMap(findSentences)
    .filter(({ file }) => !OPERATOR_ONLY.includes(file) && !TECHNICAL_FILES.includes(file))
    .filter(({ text }) => /(?<![\w/.:-])(?:[a-z]+[A-Z]\w*|[a-z]+_[a-z_]+)/.test(text));
  expect(named).toEqual([]);
});

/** Finds the literals that begin like a sentence and contain the end of a sentence. */
function findSentences(file: string): { file: string; text: string }[] {
  const code = readFileSync(join(SRC, file), 'utf8');
  const found: { file: string; text: string }[] = [];
  const add = (text: string): void => {
    if (/^(\0|\p{Lu}).* .*(?:[a-z)"\0]\.( |$)|: \0$)/su.test(text)) found.push({ file, text });
  };
  new Visitor({
    // Skips the descriptions of settings, which appear only in the reference.
    Literal: ({ value, start }) =>
      void (typeof value === 'string' && !/describe\(\s*$/.test(code.slice(0, start)) && add(value)),
    TemplateLiteral: ({ quasis }) => add(quasis.map(({ value }) => value.cooked).join('\0')),
  }).visit(parseSync(file, code).program);
  return found;
}

function isTranslated(text: string): boolean {
  // A value that precedes a capital letter counts as a separate sentence.
  const sentences = text.replace(/^\0 (?=\p{Lu})/u, '\0. ');
  return SAMPLES.some((sample) =>
    translateToGerman(sentences.replaceAll('\0', sample)).untranslated.every((part) => part === sample),
  );
}
