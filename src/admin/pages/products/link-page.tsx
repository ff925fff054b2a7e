import { useState } from 'preact/hooks';
import type { NamedLink } from '../../../products/links/name-links.ts';
import { toNumericId } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { navigate, route } from '../../router.ts';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { useTitle } from '../../use-title.ts';
import { LinkForm } from './link-form.tsx';
import { toTargetName, pickVariant, toId, toLinkHref, type Target } from './target.ts';

/** The page on which a print link is added or edited. The address contains the variant or SKU, so that other pages can link to it. */
export function LinkPage() {
  const { query } = route.value;
  const target: Target = { variantId: query.get('variantId'), sku: query.get('sku') };
  const id = new URLSearchParams(toId(target)).toString();
  const loaded = useData<{ printLinks: NamedLink[] }>(id === '' ? null : `/api/print-links?${id}`);
  const [picked, setPicked] = useState<{ variantId: string; name: string } | null>(null);
  const choose = async (): Promise<void> => {
    const variant = await pickVariant();
    if (!variant?.variantId) return;
    setPicked({ variantId: toNumericId(variant.variantId), name: variant.name });
    navigate(toLinkHref(variant), { isReplaced: true });
  };
  const name = picked !== null && picked.variantId === target.variantId ? picked.name : toTargetName(target);
  // A search by SKU also finds the separate links of single variants with that SKU.
  const isOf = (link: NamedLink): boolean => (link.variantId === null) === (target.variantId === null);
  const isNew = loaded.data !== null && !loaded.data.printLinks.some(isOf);
  const title = id === '' || isNew ? texts.products.addLink : texts.products.editLink;
  useTitle(title);
  return (
    <s-page heading={title}>
      <s-link slot="breadcrumb-actions" href="/products">
        {texts.products.title}
      </s-link>
      <s-section heading={texts.products.whichVariant}>
        {id !== '' && <s-text type="strong">{name}</s-text>}
        {target.variantId === null && target.sku !== null && (
          <s-paragraph color="subdued">{texts.products.everyVariant}</s-paragraph>
        )}
        <s-stack direction="inline">
          <s-button {...(id === '' && { variant: 'primary' as const })} onClick={() => void choose()}>
            {id === '' ? texts.products.chooseVariant : texts.products.chooseOther}
          </s-button>
        </s-stack>
        {id === '' && <SkuField />}
      </s-section>
      {id !== '' && (
        <PageState loaded={loaded} rows={8}>
          {({ printLinks }) => <LinkForm key={id} target={target} name={name} link={printLinks.find(isOf) ?? null} />}
        </PageState>
      )}
    </s-page>
  );
}

/** A field for a SKU, for a link that applies to every variant with this SKU. */
function SkuField() {
  const [sku, setSku] = useState('');
  return (
    <s-stack gap="small-200">
      <s-text-field
        label={texts.products.orSku}
        details={texts.products.orSkuText}
        value={sku}
        onInput={(event) => setSku(event.currentTarget.value)}
      />
      <s-stack direction="inline">
        <s-button
          disabled={sku.trim() === ''}
          onClick={() => navigate(toLinkHref({ variantId: null, sku: sku.trim() }), { isReplaced: true })}
        >
          {texts.products.useSku}
        </s-button>
      </s-stack>
    </s-stack>
  );
}
