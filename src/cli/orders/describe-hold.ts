import type { HoldCode } from '../../orders/facts/hold-codes.ts';
import type { ShownStorefrontOrder } from '../../orders/manual-actions/show-order.ts';

/** The commands that fix the cause of a hold, in addition to the hold's actions. */
const COMMANDS: Partial<Record<HoldCode, readonly string[]>> = {
  no_print_account: ['shops set printKey=-'],
  print_account_refused: ['shops set printKey=-'],
  print_account_changed: ['shops set printKey=-'],
  printed_before: ['shops set printKey=-'],
  needs_approval: ['shops set release=… approvalRules=…'],
  no_print_link: ['links set', 'links import'],
  not_linked: ['links set', 'links print', 'links leave', 'links own'],
  print_file_refused: ['shops set printFileHosts=…'],
  variant_deleted: ['links set sku:…'],
  not_connected: ['products list'],
  another_app_prints: ['shops allow-other-app'],
  quote_refused: ['shops set allowMultipleQuotes=…'],
  no_shipment_method: ['shops set shippingRules=… allowMultipleQuotes=…'],
  email_missing: ['shops set fallbackEmail=…'],
  no_tracking: ['shops set noTrackingDays=… fulfillsWithoutTracking=…'],
};

/** Describes a hold for `platen orders show`: its message and remedy, then the commands that apply to it. */
export function describeHold({
  code,
  message,
  remedy,
  adminUrl,
  actions,
  reference,
}: ShownStorefrontOrder['holds'][number]): string {
  const about = reference === null ? code : `${code} of ${reference}`;
  const place = adminUrl === null ? '' : ` In your store: ${adminUrl}`;
  const commands = [...actions.map((action) => `orders ${action}`), ...(COMMANDS[code as HoldCode] ?? [])];
  return `Held, ${about}: ${message} ${remedy}${place} Commands: ${commands.map((one) => `platen ${one}`).join(', ')}.`;
}
