import { runMutation, toUserError, UserError } from '../graphql/run-mutation.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { updateItem } from './inventory-mutations.ts';
import { productPayload } from './product-payload.ts';
import { variantView } from './product-view.ts';
import type { Variant } from './product-state.ts';
import { notModeledError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';
import type { Store } from '../store.ts';

interface VariantInput {
  id?: string | null;
  price?: string | null;
  compareAtPrice?: string | null;
  barcode?: string | null;
  inventoryPolicy?: Variant['inventoryPolicy'] | null;
  taxable?: boolean | null;
  inventoryItem?: Parameters<typeof updateItem>[1] | null;
}

interface BulkArguments {
  productId: string;
  variants: VariantInput[];
  /** Whether valid variants are saved even if others are invalid. */
  allowPartialUpdates?: boolean | null;
}

/**
 * Returns the mutations for products. The stand-in models only the bulk update of variants, with the inventory fields in `inventoryItem`.
 */
export function productMutations({ store, shop }: Views): View {
  return {
    productVariantsBulkUpdate: ({ productId, variants, allowPartialUpdates }: BulkArguments) =>
      runMutation(['product', 'productVariants'], () => {
        const product = structuredClone(store.product(productId));
        if (product?.shop !== shop.domain) {
          throw new UserError(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST');
        }
        const complaints: UserError[] = [];
        const updated = variants.flatMap((input, index) => {
          const variant = product.variants.find(({ id }) => id === input.id);
          if (!variant) {
            const message = 'Product variant does not exist';
            const complaint = new UserError(
              ['variants', String(index), 'id'],
              message,
              'PRODUCT_VARIANT_DOES_NOT_EXIST',
            );
            if (!allowPartialUpdates) throw complaint;
            complaints.push(complaint);
            return [];
          }
          updateVariant(store, variant, input);
          if (input.inventoryItem) updateItem({ product, variant, item: variant.inventoryItem }, input.inventoryItem);
          return [variant];
        });
        product.updatedAt = store.clock.now().toISOString();
        const event = {
          shop: shop.domain,
          topic: 'products/update' as const,
          body: exactJson(productPayload(product)),
        };
        store.write([['put', 'products', product.id, product]], [event]);
        return {
          productVariants: updated.map((variant) => variantView(store, shop, product, variant)),
          userErrors: complaints.map((complaint) => toUserError(complaint)),
        };
      }),
  };
}

function updateVariant({ clock }: Store, variant: Variant, input: VariantInput): void {
  const { id: _, price, compareAtPrice, barcode, inventoryPolicy, taxable, inventoryItem: __, ...rest } = input;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw notModeledError(`ProductVariantsBulkInput.${unknown}`);
  variant.price = price ?? variant.price;
  if (compareAtPrice !== undefined) variant.compareAtPrice = compareAtPrice;
  if (barcode !== undefined) variant.barcode = barcode;
  variant.inventoryPolicy = inventoryPolicy ?? variant.inventoryPolicy;
  variant.taxable = taxable ?? variant.taxable;
  variant.updatedAt = clock.now().toISOString();
}
