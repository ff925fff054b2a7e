import { useState } from 'preact/hooks';
import type { ShownCatalog } from '../../../products/catalog/read-catalogs.ts';
import type { FoundProducts } from '../../../products/catalog/search-catalog.ts';
import type { Facet } from '../../../products/catalog/to-facets.ts';
import { formatNumber } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { useCatalogSearch, type CatalogFilters } from './use-catalog-search.ts';

type Choose = (productUid: string) => void;

/** Finds a product in the print service's catalogs by its attributes. */
export function CatalogPicker({ onChoose }: { onChoose: Choose }) {
  const [isOpen, setOpen] = useState(false);
  const choose: Choose = (uid) => {
    setOpen(false);
    onChoose(uid);
  };
  return (
    <>
      <s-stack direction="inline">
        <s-button onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.products.closeCatalog : texts.products.openCatalog}
        </s-button>
      </s-stack>
      {isOpen && <Catalogs onChoose={choose} />}
    </>
  );
}

function Catalogs({ onChoose }: { onChoose: Choose }) {
  const loaded = useData<{ catalogs: Pick<ShownCatalog, 'catalogUid' | 'title'>[] }>('/api/catalog');
  const [catalogUid, setCatalog] = useState('');
  return (
    <PageState loaded={loaded} rows={2}>
      {({ catalogs }) => (
        <s-stack gap="base">
          <s-select
            label={texts.products.catalog}
            value={catalogUid}
            onChange={(event) => setCatalog(event.currentTarget.value)}
          >
            <s-option value="">{texts.products.chooseCatalog}</s-option>
            {catalogs.map((one) => (
              <s-option key={one.catalogUid} value={one.catalogUid}>
                {one.title ?? one.catalogUid}
              </s-option>
            ))}
          </s-select>
          {catalogUid !== '' && <Search key={catalogUid} catalogUid={catalogUid} onChoose={onChoose} />}
        </s-stack>
      )}
    </PageState>
  );
}

function Search({ catalogUid, onChoose }: { catalogUid: string; onChoose: Choose }) {
  const [filters, setFilters] = useState<CatalogFilters>({});
  const [offsets, setOffsets] = useState<number[]>([0]);
  const loaded = useCatalogSearch(catalogUid, filters, offsets.at(-1) ?? 0);
  const filter = (attributeUid: string, valueUid: string): void => {
    setOffsets([0]);
    setFilters((before) => ({ ...before, [attributeUid]: valueUid }));
  };
  return (
    <PageState loaded={loaded} rows={4}>
      {({ facets, products, next }) => (
        <>
          <s-query-container>
            <s-grid gridTemplateColumns="@container (inline-size > 500px) 1fr 1fr, 1fr" gap="small-100">
              {facets
                .filter(({ attributeUid, values }) => values.length > 1 || filters[attributeUid])
                .map((facet) => (
                  <FacetSelect
                    key={facet.attributeUid}
                    facet={facet}
                    value={filters[facet.attributeUid] ?? ''}
                    onFilter={filter}
                  />
                ))}
            </s-grid>
          </s-query-container>
          <ProductResults
            found={{ products, facets, next }}
            onChoose={onChoose}
            paging={{
              paginate: offsets.length > 1 || next !== null,
              hasPreviousPage: offsets.length > 1,
              hasNextPage: next !== null,
              onPreviousPage: () => setOffsets(offsets.slice(0, -1)),
              onNextPage: () => next !== null && setOffsets([...offsets, next]),
            }}
          />
        </>
      )}
    </PageState>
  );
}

function FacetSelect({
  facet: { attributeUid, title, values },
  value,
  onFilter,
}: {
  facet: Facet;
  value: string;
  onFilter: (attributeUid: string, valueUid: string) => void;
}) {
  return (
    <s-select
      label={title ?? attributeUid}
      value={value}
      onChange={(event) => onFilter(attributeUid, event.currentTarget.value)}
    >
      <s-option value="">{texts.products.all}</s-option>
      {values.map((one) => (
        <s-option key={one.valueUid} value={one.valueUid}>
          {one.title ?? one.valueUid} ({formatNumber(one.count)})
        </s-option>
      ))}
    </s-select>
  );
}

interface Paging {
  paginate: boolean;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  onPreviousPage: () => void;
  onNextPage: () => void;
}

function ProductResults({
  found: { products, facets },
  onChoose,
  paging,
}: {
  found: FoundProducts;
  onChoose: Choose;
  paging: Paging;
}) {
  if (products.length === 0) return <s-paragraph>{texts.products.nothingFound}</s-paragraph>;
  const titles = new Map(
    facets.flatMap(({ attributeUid, values }) =>
      values.map((one): [string, string] => [`${attributeUid} ${one.valueUid}`, one.title ?? one.valueUid]),
    ),
  );
  const several = facets.filter(({ values }) => values.length > 1);
  const shown = (several.length > 0 ? several : facets).map(({ attributeUid }) => attributeUid);
  return (
    <s-table {...paging}>
      <s-table-header-row>
        <s-table-header listSlot="primary">{texts.products.printProduct}</s-table-header>
        <s-table-header>{texts.products.actions}</s-table-header>
      </s-table-header-row>
      <s-table-body>
        {products.map(({ productUid, attributes }) => (
          <s-table-row key={productUid}>
            <s-table-cell>
              <s-stack gap="small-500">
                <s-text>
                  {shown.flatMap((uid) => titles.get(`${uid} ${String(attributes[uid] ?? '')}`) ?? []).join(', ')}
                </s-text>
                <s-text color="subdued">{productUid}</s-text>
              </s-stack>
            </s-table-cell>
            <s-table-cell>
              <s-button
                accessibilityLabel={texts.order.confirmTitle(texts.products.choose, productUid)}
                onClick={() => onChoose(productUid)}
              >
                {texts.products.choose}
              </s-button>
            </s-table-cell>
          </s-table-row>
        ))}
      </s-table-body>
    </s-table>
  );
}
