import { at } from '../table/bodies.ts';
import { EVENTS } from '../table/events.ts';
import { STOCK_STATUSES } from '../table/states.ts';
import { startReceiver, waitFor, type StandIn } from './stand-in.ts';
import { POSTER, requestOf, text } from '../table/subjects.ts';

const ACCOUNT = 'sandbox-key-events';
const STATUS_SEQUENCES = [
  ['pending_approval', 'not_connected', 'on_hold', 'uploading', 'created', 'passed', 'printed', 'shipped'],
  ['failed', 'canceled'],
];
/** Dates later than those of any new order. */
const LATER = { minDeliveryDate: '2099-01-01', maxDeliveryDate: '2099-01-05' };

/** Makes the stand-in send every event on the page to one address per style. Returns the received events. */
export async function sendEvents(standIn: StandIn): Promise<unknown[]> {
  const [current, older] = await Promise.all([startReceiver(), startReceiver()]);
  const all = () => [...current.received, ...older.received];
  const has = (style: string, name: string, isIt: (body: unknown) => boolean = () => true) =>
    all().some((body) => at(body, style) === name && isIt(body));
  try {
    const addresses = [
      { key: ACCOUNT, url: current.url },
      { key: ACCOUNT, url: older.url, style: 'object' },
    ];
    await standIn.get('POST', '/_control/webhooks', { addresses });
    await sendOrderEvents(standIn);
    await sendStockEvent(standIn);
    await sendProductEvents(standIn);
    await sendTemplateEvents(standIn);
    await waitFor(
      () => EVENTS.filter(({ style, name }) => !has(style, name)).map(({ name }) => name),
      (missing) => missing.length === 0,
    );
    // Matches the last event of each sequence.
    const lastOf = (status: string) => (body: unknown) => at(body, 'fulfillmentStatus') === status;
    await waitFor(
      () => ['shipped', 'canceled'].every((status) => has('object', 'orderStatus', lastOf(status))),
      (done) => done,
    );
    return all();
  } finally {
    await standIn.get('POST', '/_control/webhooks', { addresses: [{ key: ACCOUNT, url: 'http://127.0.0.1:1/' }] });
    current.close();
    older.close();
  }
}

async function sendOrderEvents(standIn: StandIn): Promise<void> {
  const samples = { country: 'US', state: 'NY', 'items[].productUid': POSTER };
  for (const way of STATUS_SEQUENCES) {
    const order = requestOf('createOrder', samples);
    const placed = { key: ACCOUNT, channel: 'shopify', storeId: 'store-1', order };
    const id = text(await standIn.get('POST', '/_control/orders', placed), 'id');
    for (const to of way) await standIn.get('POST', `/_control/orders/${id}/advance`, { to, comment: 'by hand' });
    await standIn.get('POST', `/_control/orders/${id}/estimate`, LATER);
  }
}

async function sendStockEvent(standIn: StandIn): Promise<void> {
  const regions = ['EU', 'UK', 'ROW'];
  const changes = STOCK_STATUSES.map((status, index) => ({
    productUid: POSTER,
    stockRegionUid: regions[index],
    status,
  }));
  await standIn.get('POST', '/_control/stock', { changes });
}

async function sendProductEvents(standIn: StandIn): Promise<void> {
  const storeId = text(await standIn.get('POST', '/_control/stores', { key: ACCOUNT }), 'id');
  const product = {
    title: 'Poster',
    description: '<p>Poster</p>',
    externalId: '7647344525468',
    externalPreviewUrl: 'https://cdn.example/poster.png',
    externalThumbnailUrl: 'https://cdn.example/poster-small.png',
    variants: [{ title: 'Small', externalId: '42533218025628', connectionStatus: 'connected' }],
    productVariantOptions: [{ name: 'Size', values: ['Small'] }],
  };
  const id = text(await standIn.get('POST', `/_control/stores/${storeId}/products`, product), 'id');
  const change = { publishingErrorCode: 'shop_unreachable' };
  await standIn.get('POST', `/_control/store-products/${id}`, change);
  const failed = { ...product, title: 'Unpublished', ...change };
  await standIn.get('POST', `/_control/stores/${storeId}/products`, failed);
  await standIn.get('DELETE', `/_control/store-products/${id}`);
}

async function sendTemplateEvents(standIn: StandIn): Promise<void> {
  const variant = {
    title: 'Small',
    productUid: POSTER,
    variantOptions: [{ name: 'Size', value: 'Small' }],
    imagePlaceholders: [{ name: 'Front', printArea: 'front', height: 137.25, width: 244 }],
    textPlaceholders: [{ name: 'Text', text: 'Harbour' }],
  };
  const template = { key: ACCOUNT, title: 'Poster', description: '<p>Poster</p>', variants: [variant] };
  const id = text(await standIn.get('POST', '/_control/templates', template), 'id');
  await standIn.get('POST', `/_control/templates/${id}`, { title: 'Other' });
  await standIn.get('DELETE', `/_control/templates/${id}`);
}
