import type { PreviewInput } from '../../../orders/quote/preview-shipping.ts';
import type { ShownLink } from '../../../products/links/show-links.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import type { ApiError } from '../../api.ts';
import { texts } from '../../texts/texts.ts';
import { toTargetName, pickVariant, type Target } from '../products/target.ts';

/** The API's limit. */
const MAX_ITEMS = 20;

/** A product in the sample order, with the quantity as typed. */
export interface SampleItem extends Target {
  name: string;
  quantity: string;
}

const toOptionValue = ({ variantId, sku }: Target): string => JSON.stringify([variantId, sku]);

/** Returns a sample item for one piece of a linked product. */
export function toSampleItem({ variantId, sku }: ShownLink): SampleItem {
  return { variantId, sku, name: toTargetName({ variantId, sku }), quantity: '1' };
}

/** Returns the items as the API expects them. */
export function toPreviewItems(items: readonly SampleItem[]): PreviewInput['items'] {
  return items.map(({ variantId, sku, quantity }) => ({ variantId, sku, quantity: Number(quantity) }));
}

/** Returns the position of the item to which an error belongs, or null. */
export function findItemIndex(error: ApiError | null): number | null {
  const [, index] = /^items\D(\d+)/.exec(error?.field ?? '') ?? [];
  return index === undefined ? null : Number(index);
}

/** The products in the sample order, each with its quantity. `hasMore`: whether the shop has print links beyond `links`. */
export function SampleItems({
  links,
  hasMore,
  items,
  error,
  onChange,
}: {
  links: readonly ShownLink[];
  hasMore: boolean;
  items: readonly SampleItem[];
  error: ApiError | null;
  onChange: (items: readonly SampleItem[]) => void;
}) {
  const choices = new Map([...links.map(toSampleItem), ...items].map((item) => [toOptionValue(item), item]));
  const used = items.map(toOptionValue);
  const next = [...choices.values()].find((item) => !used.includes(toOptionValue(item))) ?? [...choices.values()][0];
  const replace = (index: number, change: Partial<SampleItem>): void =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...change } : item)));
  const pick = async (): Promise<void> => {
    const variant = await pickVariant();
    if (variant) onChange([...items, { ...variant, quantity: '1' }]);
  };
  const errorIndex = findItemIndex(error);
  const isQuantityError = error?.field?.endsWith('quantity') ?? false;
  const errorAt = (index: number, isQuantity: boolean): string =>
    error !== null && errorIndex === index && isQuantityError === isQuantity ? toFieldMessage(error) : '';
  const label = (text: string, index: number): string => (index === 0 ? text : `${text} ${index + 1}`);
  return (
    <s-stack gap="base">
      {items.map((item, index) => (
        <s-query-container key={index}>
          <s-grid gridTemplateColumns="@container (inline-size > 600px) 2fr 1fr auto, 1fr" gap="base" alignItems="end">
            <s-select
              label={label(texts.settings.previewProduct, index)}
              value={toOptionValue(item)}
              error={errorAt(index, false)}
              onChange={({ currentTarget: { value } }) => {
                const chosen = choices.get(value);
                if (chosen) replace(index, { ...chosen, quantity: item.quantity });
              }}
            >
              {[...choices].map(([value, { name }]) => (
                <s-option key={value} value={value}>
                  {name}
                </s-option>
              ))}
            </s-select>
            <s-number-field
              label={label(texts.order.quantity, index)}
              value={item.quantity}
              min={1}
              error={errorAt(index, true)}
              onInput={({ currentTarget: { value } }) => replace(index, { quantity: value })}
            />
            {items.length > 1 && (
              <s-button
                variant="tertiary"
                tone="critical"
                accessibilityLabel={texts.order.confirmTitle(texts.settings.remove, item.name)}
                onClick={() => onChange(items.filter((_, at) => at !== index))}
              >
                {texts.settings.remove}
              </s-button>
            )}
          </s-grid>
        </s-query-container>
      ))}
      {items.length < MAX_ITEMS && (
        <s-stack direction="inline" gap="small-100">
          <s-button onClick={() => next && onChange([...items, { ...next, quantity: '1' }])}>
            {texts.settings.previewAdd}
          </s-button>
          {hasMore && <s-button onClick={() => void pick()}>{texts.products.chooseVariant}</s-button>}
        </s-stack>
      )}
    </s-stack>
  );
}
