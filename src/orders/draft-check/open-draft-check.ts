import { IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintLinks, type PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { InvalidInputError, NotPossibleError } from '../../errors.ts';
import { canConfirmDrafts, type PortQuoteRequest, type PrintOrderBody, type PrintPort } from '../../print/port.ts';
import { SAMPLE_STATES, toRateQuote } from '../../rates/to-rate-quote.ts';
import { readInstallation } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings, type Settings } from '../../shops/settings/settings.ts';
import { isCountry } from '../../shops/settings/shipping-rules.ts';
import { computeCheckReference } from '../facts/compute-reference.ts';

const DEFAULT_COUNTRY = 'US';
const ITEM = '1';

export interface DraftCheckChoice {
  /** The SKU of the print link to check. By default, the first link with a print file, preferably one without a problem. */
  sku?: string | null;
  /** The country of the sample address. */
  country?: string | null;
}

/** A prepared check: the print account's calls, the reference and the requests. */
export interface OpenDraftCheck {
  settings: Settings;
  port: PrintPort;
  /** The calls that the check may use. The check does not begin if the print interface lacks one of them. */
  deleteDraft: (orderId: string) => Promise<void>;
  status: (orderId: string) => ReturnType<PrintPort['create']>;
  cancel: (orderId: string) => Promise<void>;
  reference: string;
  link: PrintLink;
  quote: PortQuoteRequest;
  /** Returns the body of the create request with the chosen shipping method. */
  toBody: (shipmentMethodUid: string) => PrintOrderBody;
}

/**
 * Prepares a check without calling the print service. Refuses a check that could cost money or act on another installation's orders. Throws
 * NotPossibleError and InvalidInputError.
 */
export async function openDraftCheck(app: App, shop: Shop, choice: DraftCheckChoice): Promise<OpenDraftCheck> {
  if (shop.state !== 'installed')
    throw new NotPossibleError(
      'shop_not_installed',
      `${shop.domain} is not checked, because its state is ${shop.state}.`,
    );
  if (shop.printAccountId === null)
    throw new NotPossibleError('no_print_account', `${shop.domain} has no print account. Set its printKey first.`);
  const settings = readSettings(shop);
  if (!canConfirmDrafts(settings.printInterface, settings.extendedCalls))
    throw new NotPossibleError(
      'no_drafts',
      `${shop.domain} sends its orders without a draft, so the check's order could be printed and charged. A check requires printInterface=current and extendedCalls=on.`,
    );
  const { code, referenceKey, quietUntil } = await readInstallation(app);
  if (quietUntil !== null && quietUntil > app.clock.now())
    throw new NotPossibleError(
      'quiet_time',
      `The database was restored or moved, so nothing is sent to the print service before ${quietUntil.toISOString()}. Run the check after that time.`,
    );
  const link = await findCheckedLink(app, shop, choice.sku ?? null);
  const country = (choice.country ?? DEFAULT_COUNTRY).toUpperCase();
  if (!isCountry(country)) throw new InvalidInputError('country', 'country: must be a country code such as DE.');
  const { port } = await openPrintPort(app, shop.printAccountId, { ...settings, shopId: shop.id });
  const { deleteDraft, status, cancel } = port;
  if (deleteDraft === 'unsupported' || status === 'unsupported' || cancel === 'unsupported')
    throw new NotPossibleError(
      'no_drafts',
      'The print interface lacks a call that the check needs, so nothing is checked.',
    );
  const destination = { country, province: SAMPLE_STATES[country] ?? null, postal_code: null, city: null };
  const sample = toRateQuote({ ...settings, shop, destination, printed: [{ link, quantity: 1 }] });
  if (sample === null)
    throw new InvalidInputError('country', 'country: has no sample address. Choose another country.');
  const reference = computeCheckReference({ installation: code, key: referenceKey, shop: shop.domain });
  const quote = { ...sample, orderReferenceId: reference, recipient: { ...sample.recipient, ...NAME } };
  return { settings, port, deleteDraft, status, cancel, reference, link, quote, toBody: toBodyOf(shop, link, quote) };
}

/** The name on the draft, for people who see it in the print service's dashboard. */
const NAME = { firstName: 'Platen', lastName: 'Check', addressLine1: 'Test draft, do not print' };

function toBodyOf(
  shop: Shop,
  { productUid, pageCount, fileUrl }: PrintLink,
  { orderReferenceId, customerReferenceId, currency, recipient }: PortQuoteRequest,
): OpenDraftCheck['toBody'] {
  return (shipmentMethodUid) => ({
    orderReferenceId,
    customerReferenceId,
    currency,
    items: [
      {
        itemReferenceId: ITEM,
        productUid,
        ...(pageCount === null ? {} : { pageCount }),
        ...(fileUrl === null ? {} : { fileUrl }),
        quantity: 1,
      },
    ],
    metadata: [
      { key: 'shop', value: shop.domain },
      { key: 'order', value: 'platen check' },
    ],
    shippingAddress: recipient,
    shipmentMethodUid,
  });
}

async function findCheckedLink({ db }: App, { id: shopId, domain }: Shop, sku: string | null): Promise<PrintLink> {
  const order = { id: 'ASC' } as const;
  if (sku !== null) {
    const named = await db.manager.findOne(PrintLinks, { where: { shopId, sku }, order });
    if (!named) throw new InvalidInputError('sku', `sku: ${domain} has no print link with the SKU ${sku}.`);
    return named;
  }
  // A link with a print file can be printed without data from an order.
  const where = { shopId, fileUrl: Not(IsNull()) };
  const links = await db.manager.find(PrintLinks, { where, order, take: 100 });
  const link = links.find(({ problems }) => problems.length === 0) ?? links[0];
  if (!link)
    throw new NotPossibleError(
      'no_print_link',
      `${domain} has no print link with a print file. Add one, or name the SKU of another link with --sku.`,
    );
  return link;
}
