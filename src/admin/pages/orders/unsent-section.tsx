import type { ShownUnsent } from '../../../orders/manual-actions/changes/show-unsent.ts';
import { formatNumber } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { AddressTable, PrintFile } from './recipients.tsx';

/** Each refresh sends a request to the store. */
const REFRESH_SECONDS = 60;

interface Props {
  orderId: string;
  /** Null if the method can no longer be changed. */
  onChangeMethod: (() => void) | null;
}

/**
 * Shows the address and the print files of the unsent part of an order, so that nobody approves them unseen. They are loaded after the
 * page, because they are read from the store.
 */
export function UnsentSection({ orderId, onChangeMethod }: Props) {
  const path = `/api/orders/${orderId}/unsent`;
  const loaded = useData<ShownUnsent>(path, { refreshSeconds: REFRESH_SECONDS });
  return (
    <s-section heading={texts.order.unsent}>
      <s-stack gap="base">
        {loaded.error?.status === 409 ? (
          <s-paragraph color="subdued">{loaded.error.message}</s-paragraph>
        ) : (
          <PageState loaded={loaded} rows={6}>
            {(unsent) => <Shown unsent={unsent} />}
          </PageState>
        )}
        {onChangeMethod && (
          <s-stack direction="inline">
            <s-button onClick={onChangeMethod}>{texts.order.change.method}</s-button>
          </s-stack>
        )}
      </s-stack>
    </s-section>
  );
}

function Shown({ unsent: { address, changes, fault, files } }: { unsent: ShownUnsent }) {
  return (
    <s-stack gap="base">
      {fault !== null && <s-paragraph>{fault}</s-paragraph>}
      {Object.keys(address).length > 0 && (
        <AddressTable address={address} changes={changes} sent={fault === null ? texts.order.toSend : null} />
      )}
      {files.length === 0 && <s-paragraph color="subdued">{texts.order.nothingToPrint}</s-paragraph>}
      {files.map(({ sku, quantity, ...file }, index) => (
        <PrintFile key={index} file={file} name={`${formatNumber(quantity)} × ${sku ?? texts.products.noSku}`} />
      ))}
    </s-stack>
  );
}
