import { useState } from 'preact/hooks';
import type { PreviewInput, ShippingPreview } from '../../../orders/quote/preview-shipping.ts';
import type { ShownLink } from '../../../products/links/show-links.ts';
import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { formatDate, formatMoney } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { useAction } from '../../use-action.ts';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { findItemIndex, SampleItems, toPreviewItems, toSampleItem, type SampleItem } from './sample-items.tsx';

interface PreviewProps {
  kind: 'shipping' | 'rates';
  settings: ShownSettings;
  changes: Record<string, unknown>;
}

/** Shows how a sample order would ship, or which rates its checkout would show, if the unsaved settings were applied. */
export function SamplePreview(props: PreviewProps) {
  const links = useData<LinksPage>('/api/print-links');
  return (
    <s-section heading={texts.settings.preview} subheading={texts.settings.previewText}>
      <PageState loaded={links} rows={8}>
        {({ printLinks, next }) => {
          const [first] = printLinks;
          return first === undefined ? (
            <s-paragraph>{texts.settings.previewNeedsLink}</s-paragraph>
          ) : (
            <Sample {...props} links={printLinks} first={first} hasMore={next !== null} />
          );
        }}
      </PageState>
    </s-section>
  );
}

interface LinksPage {
  printLinks: ShownLink[];
  next: string | null;
}

interface SampleProps extends PreviewProps {
  links: readonly ShownLink[];
  first: ShownLink;
  hasMore: boolean;
}

function Sample({ kind, settings, changes, links, first, hasMore }: SampleProps) {
  const [items, setItems] = useState<readonly SampleItem[]>(() => [toSampleItem(first)]);
  const [sample, setSample] = useState({ country: '', province: '', postCode: '', title: '', value: '' });
  const [preview, setPreview] = useState<ShippingPreview | null>(null);
  const { error, isRunning, clear, run: start } = useAction();
  const set = (name: keyof typeof sample) => (event: { currentTarget: { value: string } }) =>
    setSample({ ...sample, [name]: event.currentTarget.value });
  const run = async (): Promise<void> => {
    setPreview(null);
    await start(async () => {
      const { country, province, postCode, title: shippingTitle, value } = sample;
      const body = {
        settings: changes,
        country,
        province,
        postCode,
        shippingTitle,
        items: toPreviewItems(items),
        ...(value && { value: value.replace(',', '.') }),
      };
      setPreview(
        await callApi<ShippingPreview>('POST', '/api/settings/preview', body satisfies PreviewInput, {
          isReadOnlyRequest: true,
        }),
      );
    });
  };
  const errorOf = (field: string): string => (error?.field?.startsWith(field) ? toFieldMessage(error) : '');
  const isAtField =
    findItemIndex(error) !== null ||
    ['country', 'province', 'postCode', 'value'].some((field) => errorOf(field) !== '');
  return (
    <s-stack gap="base">
      {kind === 'rates' && !(changes['liveRates'] ?? settings.liveRates) && (
        <s-paragraph color="subdued">{texts.settings.ratesOff}</s-paragraph>
      )}
      <SampleItems
        links={links}
        hasMore={hasMore}
        items={items}
        error={error}
        onChange={(next) => {
          setItems(next);
          // The error names an item by its position, which may have changed.
          clear();
        }}
      />
      <s-query-container>
        <s-grid gridTemplateColumns="@container (inline-size > 600px) 1fr 1fr 1fr, 1fr" gap="base">
          <s-text-field
            label={texts.settings.previewCountry}
            placeholder="DE"
            value={sample.country}
            maxLength={2}
            error={errorOf('country')}
            onInput={set('country')}
          />
          <s-text-field
            label={texts.settings.previewProvince}
            value={sample.province}
            error={errorOf('province')}
            onInput={set('province')}
          />
          <s-text-field
            label={texts.settings.previewPostCode}
            value={sample.postCode}
            error={errorOf('postCode')}
            onInput={set('postCode')}
          />
          {kind === 'shipping' ? (
            <s-text-field label={texts.settings.previewTitle} value={sample.title} onInput={set('title')} />
          ) : (
            <s-text-field
              label={texts.settings.previewValue}
              placeholder="40.00"
              value={sample.value}
              error={errorOf('value')}
              onInput={set('value')}
            />
          )}
        </s-grid>
      </s-query-container>
      <s-stack direction="inline">
        <s-button loading={isRunning} onClick={() => void run()}>
          {texts.settings.showPreview}
        </s-button>
      </s-stack>
      {error !== null && !isAtField && <s-banner tone="critical">{toFieldMessage(error)}</s-banner>}
      {preview !== null && (kind === 'shipping' ? <Methods preview={preview} /> : <Rates preview={preview} />)}
    </s-stack>
  );
}

function Methods({ preview: { quotes, rule, passedOver, lack } }: { preview: ShippingPreview }) {
  return (
    <s-stack gap="base">
      {lack === null ? (
        <s-paragraph>{texts.settings.chosenBy(rule)}</s-paragraph>
      ) : (
        <s-banner tone="warning">{texts.settings.noMethod(lack)}</s-banner>
      )}
      {passedOver.map((one) => (
        <s-paragraph key={one.rule} color="subdued">
          {texts.settings.passedOver(one.rule, one.why)}
        </s-paragraph>
      ))}
      <s-table>
        <s-table-header-row>
          <s-table-header listSlot="primary">{texts.settings.method}</s-table-header>
          <s-table-header format="numeric">{texts.settings.price}</s-table-header>
          <s-table-header>{texts.order.delivery}</s-table-header>
        </s-table-header-row>
        <s-table-body>
          {quotes.flatMap(({ methods }, quote) =>
            methods.map((method) => (
              <s-table-row key={`${quote} ${method.uid}`}>
                <s-table-cell>
                  {method.name} {method.isChosen && <s-badge tone="success">{texts.settings.chosen}</s-badge>}
                </s-table-cell>
                <s-table-cell>{method.price !== null && formatMoney(method.price, method.currency)}</s-table-cell>
                <s-table-cell>
                  <DeliveryDates {...method} />
                </s-table-cell>
              </s-table-row>
            )),
          )}
        </s-table-body>
      </s-table>
    </s-stack>
  );
}

function Rates({ preview: { rates, fallbackRates } }: { preview: ShippingPreview }) {
  return (
    <s-stack gap="base">
      <RateTable heading={texts.settings.ratesShown} rates={rates} empty={texts.settings.noRates} />
      <RateTable heading={texts.settings.fallbackShown} rates={fallbackRates} empty={texts.settings.noFallback} />
    </s-stack>
  );
}

function RateTable({ heading, rates, empty }: { heading: string; rates: ShippingPreview['rates']; empty: string }) {
  return (
    <s-stack gap="small-200">
      <s-heading>{heading}</s-heading>
      {rates.length === 0 && <s-paragraph color="subdued">{empty}</s-paragraph>}
      {rates.map((rate) => (
        <s-paragraph key={rate.name}>
          {rate.name}: {formatMoney(rate.price, rate.currency)} <DeliveryDates {...rate} />
        </s-paragraph>
      ))}
    </s-stack>
  );
}

function DeliveryDates({ from, to }: { from: string | null; to: string | null }) {
  if (from === null || to === null) return null;
  return <s-text color="subdued">{texts.order.between(formatDate(from), formatDate(to))}</s-text>;
}
