import { useState } from 'preact/hooks';
import type { NamedLink } from '../../../products/links/name-links.ts';
import type { ShownLink } from '../../../products/links/show-links.ts';
import { callApi } from '../../api.ts';
import { formatTime } from '../../format.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { SaveForm } from '../../parts/save-form.tsx';
import { useAction } from '../../use-action.ts';
import { texts } from '../../texts/texts.ts';
import { CatalogPicker } from './catalog-picker.tsx';
import { ChosenProduct } from './chosen-product.tsx';
import { CheckResult } from './check-result.tsx';
import { SettleWaitingOrders } from './settle-waiting-orders.tsx';
import type { Target } from './target.ts';

const FIELDS = ['productUid', 'fileUrl', 'pageCount', 'envelopeProductUid', 'envelopesPerPiece'] as const;
type Field = (typeof FIELDS)[number];
type Values = Record<Field, string>;
type SavedLink = ShownLink & { waiting?: { orders: number; since: string } };

const toValues = (link: ShownLink | null): Values =>
  Object.fromEntries(FIELDS.map((field) => [field, String(link?.[field] ?? '')])) as Values;

/** A form with the print product, the file and the other values of a print link. */
export function LinkForm({ target, name, link }: { target: Target; name: string; link: NamedLink | null }) {
  const [start, setStart] = useState(() => toValues(link));
  const [values, setValues] = useState(start);
  const { error, isRunning: isSaving, clear, run } = useAction();
  const [saved, setSaved] = useState<SavedLink | null>(null);
  const set = (field: Field, value: string): void => setValues((before) => ({ ...before, [field]: value }));
  const save = async (): Promise<void> => {
    setSaved(null);
    await run(async () => {
      setSaved(await callApi<SavedLink>('PUT', '/api/print-links', toBody(target, values)));
      setStart(values);
    });
  };
  const field = (one: Field) => ({
    name: one,
    value: values[one],
    error: error?.field === one ? toFieldMessage(error) : '',
    onInput: (event: { currentTarget: { value: string } }) => set(one, event.currentTarget.value),
  });
  const needsBanner = error !== null && !FIELDS.some((one) => one === error.field);
  return (
    <s-stack gap="base">
      {needsBanner && (
        <s-banner tone="critical" heading={texts.products.notSaved}>
          <s-paragraph>{toFieldMessage(error)}</s-paragraph>
        </s-banner>
      )}
      {saved && (
        <SavedNotice
          saved={saved}
          target={target}
          name={name}
          onPrinted={() => setSaved({ ...saved, waiting: { orders: 0, since: '' } })}
        />
      )}
      {link?.source === 'metafields' && <s-banner tone="info">{texts.products.fromMetafieldsText}</s-banner>}
      {!saved && link && (
        <s-section heading={texts.products.check}>
          <CheckResult link={link} />
        </s-section>
      )}
      {/* The picker is outside the form, because each of its inputs would count as an unsaved change. */}
      <s-section>
        <CatalogPicker onChoose={(uid) => set('productUid', uid)} />
      </s-section>
      <SaveForm
        isUnsaved={!isSaving && FIELDS.some((one) => values[one] !== start[one])}
        onSave={() => void save()}
        onDiscard={() => {
          setValues(start);
          clear();
        }}
      >
        <s-stack gap="base">
          <s-section heading={texts.products.printProduct}>
            <s-text-field
              label={texts.products.productUid}
              details={texts.products.productUidText}
              {...field('productUid')}
            />
            <ChosenProduct productUid={values.productUid.trim()} pageCount={values.pageCount.trim()} />
          </s-section>
          <s-section heading={texts.products.file}>
            <s-text-field label={texts.products.fileUrl} details={texts.products.fileUrlText} {...field('fileUrl')} />
            <s-text-field
              label={texts.products.pageCount}
              details={texts.products.pageCountText}
              {...field('pageCount')}
            />
          </s-section>
          <s-section heading={texts.products.envelopes} subheading={texts.products.envelopesText}>
            <s-text-field label={texts.products.envelopeProductUid} {...field('envelopeProductUid')} />
            <s-text-field label={texts.products.envelopesPerPiece} {...field('envelopesPerPiece')} />
          </s-section>
          <s-stack direction="inline">
            <s-button type="submit" variant="primary" loading={isSaving}>
              {texts.products.saveLink}
            </s-button>
          </s-stack>
        </s-stack>
      </SaveForm>
    </s-stack>
  );
}

/** Confirms the saved link, and lists the orders that were waiting for it. */
function SavedNotice({
  saved: { waiting },
  target,
  name,
  onPrinted,
}: {
  saved: SavedLink;
  target: Target;
  name: string;
  onPrinted: () => void;
}) {
  const isWaiting = waiting !== undefined && waiting.orders > 0;
  return (
    <s-banner tone="success" heading={texts.products.saved(name)}>
      <s-stack gap="small-100">
        <s-paragraph>{texts.products.savedText}</s-paragraph>
        {waiting?.orders === 0 && <s-paragraph>{texts.products.settled.print}</s-paragraph>}
        {isWaiting && <s-paragraph>{texts.products.waiting(waiting.orders, formatTime(waiting.since))}</s-paragraph>}
        <s-stack direction="inline" gap="small-100">
          {isWaiting && (
            <SettleWaitingOrders
              word="print"
              target={target}
              onDone={() => {
                onPrinted();
                return Promise.resolve();
              }}
            />
          )}
          <s-button href="/products">{texts.products.backToProducts}</s-button>
        </s-stack>
      </s-stack>
    </s-banner>
  );
}

/**
 * Returns the body of the request that saves the link. Omits empty fields. Sends an invalid number as text, so that the API can explain the
 * error.
 */
function toBody(target: Target, values: Record<Field, string>): Record<string, unknown> {
  const named = Object.entries(target).filter(([, value]) => value !== null);
  const filled = FIELDS.flatMap((name) => {
    const text = values[name].trim();
    const isCount = name === 'pageCount' || name === 'envelopesPerPiece';
    return text === '' ? [] : [[name, isCount && /^\d+$/.test(text) ? Number(text) : text] as const];
  });
  return Object.fromEntries([...named, ...filled]);
}
