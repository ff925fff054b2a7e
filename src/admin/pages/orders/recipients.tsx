import { useState } from 'preact/hooks';
import type { ShownRecipient, ShownRecipients } from '../../../orders/manual-actions/show-recipients.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

const REFRESH_SECONDS = 30;
const PDF = /\.pdf(?:\?|$)/i;
const IMAGE = /\.(?:png|jpe?g|webp)(?:\?|$)/i;

type SentFile = NonNullable<ShownRecipient['sent']>['files'][number];

/** For each of an order's print orders, shows the store's address, the address that is sent, and the print files. */
export function Recipients({ orderId }: { orderId: string }) {
  const path = `/api/orders/${orderId}/recipients`;
  const loaded = useData<ShownRecipients>(path, { refreshSeconds: REFRESH_SECONDS });
  return (
    <PageState loaded={loaded} rows={4}>
      {({ recipients, storeAddress }) => (
        <>
          {recipients.map((recipient) => (
            <Recipient key={recipient.reference} recipient={recipient} />
          ))}
          {storeAddress && (
            <s-section heading={texts.order.storeAddress}>
              <AddressTable address={storeAddress} changes={[]} sent={null} />
            </s-section>
          )}
        </>
      )}
    </PageState>
  );
}

function Recipient({ recipient: { reference, sent } }: { recipient: ShownRecipient }) {
  if (sent === null)
    return (
      <s-section heading={texts.order.recipient(reference)}>
        <s-paragraph color="subdued">{texts.order.recipientRemoved}</s-paragraph>
      </s-section>
    );
  return (
    <s-section heading={texts.order.recipient(reference)}>
      <s-stack gap="base">
        <AddressTable
          address={sent.address}
          changes={sent.changes}
          sent={texts.order.sent}
          inStore={texts.order.inStoreWhenSent}
        />
        {sent.files.map((file, index) => (
          <PrintFile key={index} file={file} name={file.sku ?? texts.products.noSku} />
        ))}
      </s-stack>
    </s-section>
  );
}

interface AddressTableProps extends Pick<NonNullable<ShownRecipient['sent']>, 'address' | 'changes'> {
  /** The heading of the address as it is sent. Null: only the store's address is shown. */
  sent: string | null;
  /** The heading of the store's address. */
  inStore?: string;
}

/** The address in the store and the address that is sent, with the reason for each change. */
export function AddressTable({ address, changes, sent, inStore = texts.order.inStore }: AddressTableProps) {
  const changed = new Map(changes.map((change) => [change.field, change]));
  const fields = [...new Set([...Object.keys(address), ...changed.keys()])];
  return (
    <s-table>
      <s-table-header-row>
        <s-table-header listSlot="primary">{texts.order.field}</s-table-header>
        <s-table-header>{inStore}</s-table-header>
        {sent !== null && <s-table-header>{sent}</s-table-header>}
      </s-table-header-row>
      <s-table-body>
        {fields.map((field) => {
          const change = changed.get(field);
          return (
            <s-table-row key={field}>
              <s-table-cell>
                {texts.order.fields[field] ?? field}{' '}
                {change && <s-badge tone="warning">{texts.order.changed(change.why)}</s-badge>}
              </s-table-cell>
              <s-table-cell>{change ? (change.from ?? '–') : address[field]}</s-table-cell>
              {sent !== null && <s-table-cell>{(change ? change.to : address[field]) ?? '–'}</s-table-cell>}
            </s-table-row>
          );
        })}
      </s-table-body>
    </s-table>
  );
}

/** A print file with its preview. */
export function PrintFile({
  file: { url, isFromOrder, linkUrl = null },
  name,
}: {
  file: Pick<SentFile, 'url' | 'isFromOrder'> & { linkUrl?: string | null };
  name: string;
}) {
  const [isShown, setShown] = useState(false);
  if (url === null)
    return (
      <s-paragraph color="subdued">
        {name}: {texts.order.noFile}
      </s-paragraph>
    );
  const label = isShown ? texts.order.hideFile : texts.order.showFile;
  return (
    <s-stack gap="small-100">
      <s-stack direction="inline" gap="small-100" alignItems="center">
        {IMAGE.test(url) && <img class="preview" src={url} alt={texts.order.previewOf(name)} loading="lazy" />}
        <s-text>{name}</s-text>
        <s-link href={url} target="_blank">
          {texts.order.openFile}
        </s-link>
        {/* A frame could show any page, so a URL that a buyer entered is shown only as a link. */}
        {PDF.test(url) && !isFromOrder && (
          <s-button
            variant="tertiary"
            accessibilityLabel={texts.order.confirmTitle(label, name)}
            onClick={() => setShown(!isShown)}
          >
            {label}
          </s-button>
        )}
      </s-stack>
      {linkUrl !== null && (
        <s-paragraph color="subdued">
          {texts.order.linkChanged}{' '}
          <s-link href={linkUrl} target="_blank">
            {texts.order.openLinkFile}
          </s-link>
        </s-paragraph>
      )}
      {/* The frame has no sandbox attribute, because browsers show no PDF in a sandboxed frame. */}
      {isShown && (
        <iframe
          class="document"
          src={`${url}#page=1&view=Fit`}
          title={texts.order.previewOf(name)}
          referrerpolicy="no-referrer"
        />
      )}
    </s-stack>
  );
}
