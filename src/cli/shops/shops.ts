import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { allowOtherApp } from '../../orders/manual-actions/allow-other-app.ts';
import { registerPrintAddress } from '../../demo/register-print-address.ts';
import { disconnectPrintAccount } from '../../shops/print-account/disconnect-print-account.ts';
import { listShops, type ShopSummary } from '../../shops/list-shops.ts';
import { createPrintWebhookAddress } from '../../shops/print-account/print-webhook-address.ts';
import { describeQuietTime, readQuietUntil } from '../../shops/print-account/read-quiet-until.ts';
import { readSettingText } from '../../shops/settings/read-setting-text.ts';
import type { SettingName } from '../../shops/settings/settings-schema.ts';
import { changeSettings } from '../../shops/settings/settings.ts';
import { tryPrintKey } from '../../shops/print-account/try-print-key.ts';
import { writeLine, writeErrorLine, writeJsonList, writeTable } from '../../terminal.ts';
import type { GivenArguments } from '../command.ts';
import { showSetting } from './show-setting.ts';
import { UsageError } from '../usage-error.ts';

/** `platen shops list`: lists all shops. */
export async function shopsList({ json }: { json: boolean }, app: App): Promise<void> {
  if (json) return writeJsonList(listShops(app));
  const rows: string[][] = [];
  for await (const shop of listShops(app)) {
    rows.push([shop.domain, describeState(shop), shop.printAccount ?? 'none', shop.name ?? '']);
  }
  writeTable(['SHOP', 'STATE', 'PRINT ACCOUNT', 'NAME'], rows);
  const quietUntil = await readQuietUntil(app);
  if (quietUntil) ['', describeQuietTime(quietUntil)].forEach(writeLine);
}

function describeState({ state, fencedOffAt, adminRefusedAt }: ShopSummary): string {
  if (fencedOffAt !== null) return `${state}, but another database has taken over`;
  return adminRefusedAt === null ? state : `${state}, but Shopify rejects this server`;
}

/** `platen shops set`: changes settings. A new print key is tested before it is saved. */
export async function shopsSet({ args }: GivenArguments, app: App, shop: Shop): Promise<void> {
  if (args.filter((pair) => FROM_INPUT.test(pair)).length > 1)
    throw new UsageError('Only one value can come from standard input: use - once.');
  const change = Object.fromEntries(await Promise.all(args.map(toSetting)));
  await tryPrintKey(app, shop, change);
  const settings = await changeSettings(app, shop, change);
  for (const name of Object.keys(change)) writeLine(showSetting(settings, name as SettingName));
}

/** `name=-` reads the value from standard input, so that a secret appears neither in the shell's history nor in the list of processes. */
const FROM_INPUT = /^[^=]+=-$/;
/** Longer than any setting. */
const MAX_INPUT = 64 * 1024;

async function toSetting(pair: string): Promise<[name: string, value: unknown]> {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`${pair} is invalid: use the form name=value.`);
  const name = pair.slice(0, at);
  return [name, readSettingText(name, FROM_INPUT.test(pair) ? await readInput() : pair.slice(at + 1))];
}

async function readInput(): Promise<string> {
  if (process.stdin.isTTY) writeErrorLine('Enter the value, then press Enter and Ctrl+D.');
  let input = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    input += String(chunk);
    if (input.length > MAX_INPUT) throw new UsageError(`The value is longer than ${MAX_INPUT} characters.`);
  }
  if (input.trim() === '') throw new UsageError('Standard input has no value.');
  return input;
}

/** `platen shops webhook`: creates a webhook address for print events and writes only the URL to standard output. */
export async function shopsWebhook(app: App, shop: Shop): Promise<void> {
  const url = await createPrintWebhookAddress(app, shop);
  writeLine(url);
  await registerPrintAddress(app, shop, url).catch(() => {
    writeErrorLine(
      'The address is valid, but the print stand-in could not be notified. Run this command again while the stand-in is running.',
    );
  });
}

/** `platen shops disconnect`: removes the shop's print key. */
export async function shopsDisconnect(app: App, shop: Shop): Promise<void> {
  const isDone = await disconnectPrintAccount(app, shop);
  writeLine(
    isDone
      ? 'The print account is disconnected. New orders are held until you set a new key (printKey). Platen still follows orders that were already sent.'
      : 'This shop has no print account.',
  );
}

/** `platen shops allow-other-app`: allows another app to print from the same print account, so that held orders resume. */
export async function shopsAllowOtherApp(app: App, shop: Shop): Promise<void> {
  const isAllowed = await allowOtherApp(app, shop);
  writeLine(isAllowed ? 'The other app is now allowed. Held orders resume.' : 'No other app is waiting to be allowed.');
}
