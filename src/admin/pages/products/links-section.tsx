import type { NamedLink } from '../../../products/links/name-links.ts';
import { callApi } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Outcome, useOutcome } from '../../parts/outcome.tsx';
import { PageState } from '../../parts/page-state.tsx';
import { SearchBySku } from './search-by-sku.tsx';
import { route } from '../../router.ts';
import { texts } from '../../texts/texts.ts';
import { usePages, type TablePages } from '../../use-pages.ts';
import { useVariantTitles } from './use-variant-titles.ts';
import { CheckResult, ConnectionBadge } from './check-result.tsx';
import { toTargetName, toElementId, toId, toLinkHref } from './target.ts';

const REFRESH_SECONDS = 10;

interface LinksPage {
  printLinks: NamedLink[];
  next: string | null;
}

type Run = ReturnType<typeof useOutcome>['run'];

/** The shop's print links with the results of their checks. */
export function LinksSection() {
  const sku = route.value.query.get('sku') ?? '';
  const query = new URLSearchParams(sku === '' ? {} : { sku });
  const { loaded, pages } = usePages<LinksPage>(`/api/print-links?${query}`, { refreshSeconds: REFRESH_SECONDS });
  const { outcome, run } = useOutcome(loaded.reload);
  return (
    <s-section heading={texts.products.links} padding="none">
      <s-button slot="secondary-actions" onClick={() => void run(checkProblems)}>
        {texts.products.checkProblems}
      </s-button>
      <SearchBySku sku={sku} />
      {outcome && (
        <s-box padding="base">
          <Outcome outcome={outcome} />
        </s-box>
      )}
      <PageState loaded={loaded} rows={8}>
        {({ printLinks }) =>
          printLinks.length === 0 ? (
            <Empty isFiltered={sku !== ''} />
          ) : (
            <LinksTable links={printLinks} pages={pages} run={run} />
          )
        }
      </PageState>
    </s-section>
  );
}

/** Checks every link that has a problem. */
async function checkProblems(): Promise<string> {
  const { checking } = await callApi<{ checking: number }>('POST', '/api/print-links/check');
  return texts.products.checkingProblems(checking);
}

function LinksTable({ links, pages, run }: { links: NamedLink[]; pages: TablePages; run: Run }) {
  const titleOf = useVariantTitles(links);
  return (
    <s-table {...pages}>
      <s-table-header-row>
        <s-table-header listSlot="primary">{texts.products.product}</s-table-header>
        <s-table-header>{texts.products.printProduct}</s-table-header>
        <s-table-header>{texts.products.check}</s-table-header>
        <s-table-header>{texts.products.connection}</s-table-header>
        <s-table-header>{texts.products.actions}</s-table-header>
      </s-table-header-row>
      <s-table-body>
        {links.map((link) => (
          <LinkRow key={toElementId(link)} link={link} title={link.title ?? titleOf(link.variantId)} run={run} />
        ))}
      </s-table-body>
    </s-table>
  );
}

function LinkRow({ link, title, run }: { link: NamedLink; title: string | null; run: Run }) {
  const name = toTargetName(link);
  const query = new URLSearchParams(toId(link));
  const checkAgain = (): Promise<string> =>
    callApi('POST', `/api/print-links/check?${query}`).then(() => texts.products.checking(name));
  const remove = (): Promise<string> =>
    callApi('DELETE', `/api/print-links?${query}`).then(() => texts.products.deleted(name));
  return (
    <s-table-row>
      <s-table-cell>
        <s-stack gap="small-300">
          <s-link href={toLinkHref(link)}>{name}</s-link>
          {title !== null && <s-text color="subdued">{title}</s-text>}
          {link.variantId === null && <s-text color="subdued">{texts.products.everyVariant}</s-text>}
          {link.source === 'metafields' && <s-text color="subdued">{texts.products.fromMetafields}</s-text>}
        </s-stack>
      </s-table-cell>
      <s-table-cell>{link.productUid}</s-table-cell>
      <s-table-cell>
        <CheckResult link={link} />
      </s-table-cell>
      <s-table-cell>
        <ConnectionBadge status={link.connection} />
      </s-table-cell>
      <s-table-cell>
        <s-stack direction="inline" gap="small-200">
          <s-button
            variant="tertiary"
            accessibilityLabel={texts.order.confirmTitle(texts.products.checkAgain, name)}
            onClick={() => void run(checkAgain)}
          >
            {texts.products.checkAgain}
          </s-button>
          <ConfirmButton
            id={`delete-${toElementId(link)}`}
            label={texts.products.delete}
            title={texts.order.confirmTitle(texts.products.delete, name)}
            text={texts.products.deleteText}
            isCritical
            onConfirm={() => run(remove)}
          />
        </s-stack>
      </s-table-cell>
    </s-table-row>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <s-empty-state heading={isFiltered ? texts.products.noLinkMatches : texts.products.noLinks}>
      <s-paragraph slot="subheading">
        {isFiltered ? texts.products.noLinkMatchesText : texts.products.noLinksText}
      </s-paragraph>
      <s-button slot="primary-action" href={isFiltered ? '/products' : '/products/link'}>
        {isFiltered ? texts.orders.clear : texts.products.addLink}
      </s-button>
    </s-empty-state>
  );
}
