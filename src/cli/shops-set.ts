import { parseArgs } from 'node:util';
import type { SettingName } from '../shops/settings-schema.ts';
import { changeSettings } from '../shops/settings.ts';
import { tryPrintKey } from '../shops/try-print-key.ts';
import { findShopArgument } from './find-shop-argument.ts';
import { withApp } from './open-app.ts';
import { showSetting } from './show-setting.ts';
import { UsageError } from './usage-error.ts';

/** `platen shops set SHOP name=value…`; a new print key is tried before it is kept. */
export async function shopsSet(args: string[]): Promise<void> {
  const [domain, ...pairs] = parseArgs({ args, allowPositionals: true }).positionals;
  if (domain === undefined) throw new UsageError('Which shop? Give its domain, then name=value.');
  if (pairs.length === 0) throw new UsageError('Which setting? Give name=value.');
  const change = Object.fromEntries(pairs.map(toSetting));
  await withApp(async (app) => {
    const shop = await findShopArgument(app, domain);
    await tryPrintKey(app, shop, change);
    const settings = await changeSettings(app, shop, change);
    for (const name of Object.keys(change)) console.log(showSetting(settings, name as SettingName));
  });
}

/** A setting as the settings' schema takes it. What is not understood stays a text, and the schema says what is wrong with it. */
function toSetting(pair: string): [name: string, value: unknown] {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`${pair} is not of the form name=value.`);
  const name = pair.slice(0, at);
  return [name, toValue(name, pair.slice(at + 1).trim())];
}

function toValue(name: string, text: string): unknown {
  switch (name) {
    case 'delayMinutes':
    case 'gatherSeconds':
    case 'retentionDays':
      return /^\d+$/.test(text) ? Number(text) : text;
    case 'expressWords':
    case 'printFileHosts':
      return text.split(',').filter((word) => word.trim() !== '');
    case 'shippingRules':
    case 'ownStockRates':
    case 'fallbackRates':
      return text === '' ? [] : parseJson(text);
    case 'rateNames':
      return text === '' ? {} : parseJson(text);
    case 'printWebhookHeader':
      return text === '' ? null : toHeader(text);
    case 'returnAddress':
    case 'approvalRules':
    case 'rateMargin':
    case 'rateRounding':
      return text === '' ? null : parseJson(text);
    default:
      return text === '' ? null : text;
  }
}

/** `Name: value`, as a header is written. */
function toHeader(text: string): unknown {
  const at = text.indexOf(':');
  return at < 0 ? text : { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
