import { useState } from 'preact/hooks';
import type { ListedError, PlannedRow } from '../../../products/links/import-links.ts';
import { toNumericId, formatNumber } from '../../format.ts';
import { texts } from '../../texts/texts.ts';

const PAGE_SIZE = 50;
const TONES = { error: 'critical', created: 'success', changed: 'info', unchanged: 'neutral' } as const;
type Kind = keyof typeof TONES;
const KINDS = Object.keys(TONES) as Kind[];

/** One line of the dry run. */
interface Line {
  row: number;
  target: string;
  kind: Kind;
  details: string;
}

/** The changes that the file would make, row by row, with the errors first. */
export function RowList({ errors, planned }: { errors: readonly ListedError[]; planned: readonly PlannedRow[] }) {
  const [kind, setKind] = useState<Kind | ''>('');
  const [page, setPage] = useState(0);
  const lines = [...errors.map(toErrorLine), ...planned.map(toPlannedLine)];
  const counts = Object.fromEntries(KINDS.map((one) => [one, lines.filter((line) => line.kind === one).length]));
  const matching = kind === '' ? lines : lines.filter((line) => line.kind === kind);
  const shown = matching.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  const hasNext = matching.length > (page + 1) * PAGE_SIZE;
  return (
    <>
      <s-box padding="base">
        <s-stack direction="inline" gap="small-100" alignItems="end">
          <s-select
            label={texts.importPage.show}
            value={kind}
            onChange={(event) => {
              setKind(event.currentTarget.value as Kind | '');
              setPage(0);
            }}
          >
            <s-option value="">{`${texts.importPage.all} (${formatNumber(lines.length)})`}</s-option>
            {KINDS.map((one) => (
              <s-option key={one} value={one}>
                {`${texts.importPage.changes[one]} (${formatNumber(counts[one] ?? 0)})`}
              </s-option>
            ))}
          </s-select>
          {matching.length > PAGE_SIZE && (
            <s-text color="subdued">
              {texts.productPages.pageOf(
                page * PAGE_SIZE + 1,
                page * PAGE_SIZE + shown.length,
                formatNumber(matching.length),
              )}
            </s-text>
          )}
        </s-stack>
        {matching.length === 0 && <s-paragraph>{texts.importPage.noRows}</s-paragraph>}
      </s-box>
      {matching.length > 0 && (
        <s-table
          paginate={matching.length > PAGE_SIZE}
          hasPreviousPage={page > 0}
          hasNextPage={hasNext}
          onPreviousPage={() => setPage(page - 1)}
          onNextPage={() => setPage(page + 1)}
        >
          <s-table-header-row>
            <s-table-header>{texts.productPages.row}</s-table-header>
            <s-table-header listSlot="primary">{texts.importPage.target}</s-table-header>
            <s-table-header listSlot="inline">{texts.productPages.result}</s-table-header>
            <s-table-header>{texts.importPage.details}</s-table-header>
          </s-table-header-row>
          <s-table-body>
            {shown.map((line, index) => (
              <s-table-row key={`${line.row} ${index}`}>
                <s-table-cell>{formatNumber(line.row)}</s-table-cell>
                <s-table-cell>{line.target}</s-table-cell>
                <s-table-cell>
                  <s-badge tone={TONES[line.kind]}>{texts.importPage.changes[line.kind]}</s-badge>
                </s-table-cell>
                <s-table-cell>{line.details}</s-table-cell>
              </s-table-row>
            ))}
          </s-table-body>
        </s-table>
      )}
    </>
  );
}

function toErrorLine({ row, column, message, written = '' }: ListedError): Line {
  return { row, target: written, kind: 'error', details: column === null ? message : `${column}: ${message}` };
}

function toPlannedLine({ row, variantId, sku, productUid, change }: PlannedRow): Line {
  const target =
    variantId === null ? texts.importPage.sku(sku ?? '') : texts.importPage.variantNumber(toNumericId(variantId));
  return { row, target, kind: change, details: productUid };
}
