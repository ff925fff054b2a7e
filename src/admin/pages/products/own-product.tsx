import { callApi } from '../../api.ts';
import { toNumericId } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { texts } from '../../texts/texts.ts';
import { toElementId, type Target } from './target.ts';

/** A button with which the merchant confirms once that they ship a product themselves. Shown only if its product or variant is known. */
export function OwnProduct({
  variant,
  onConfirm,
}: {
  variant: Target & { productId: string | null };
  /** Runs the request, which returns the message to show. */
  onConfirm: (request: () => Promise<string>) => Promise<void>;
}) {
  const { productId, variantId, sku } = variant;
  if (productId === null && variantId === null) return null;
  const own = productId === null ? { variantId } : { productId };
  return (
    <ConfirmButton
      id={`own-${toElementId(variant)}`}
      label={texts.products.own}
      title={texts.order.confirmTitle(texts.products.own, sku ?? toNumericId(productId ?? variantId ?? ''))}
      text={texts.products.ownText}
      onConfirm={() => onConfirm(() => callApi('POST', '/api/print-links/own', own).then(() => texts.products.owned))}
    />
  );
}
