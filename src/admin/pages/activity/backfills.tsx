import type { ListedBackfill } from '../../../orders/backfill/list-backfills.ts';
import { formatDay, formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { BackfillPreview } from './backfill-preview.tsx';
import { StartBackfill } from './start-backfill.tsx';

const REFRESH_SECONDS = 2;
const REFRESH_SECONDS_WHEN_DONE = 30;

interface BackfillsData {
  backfills: ListedBackfill[];
}

const hasRunningBackfill = (data: BackfillsData | null): boolean =>
  data?.backfills.some(({ finishedAt }) => finishedAt === null) ?? false;

/** The view for importing earlier orders, first as a preview. Also lists the latest backfills with their progress. */
export function Backfills() {
  const loaded = useData<BackfillsData>('/api/backfills', {
    refreshSeconds: (data) => (hasRunningBackfill(data) ? REFRESH_SECONDS : REFRESH_SECONDS_WHEN_DONE),
  });
  const [latest] = loaded.data?.backfills ?? [];
  const isPreview = latest?.dryRun === true && latest.finishedAt !== null && latest.stopped === null;
  return (
    <>
      <StartBackfill isRunning={hasRunningBackfill(loaded.data)} reload={loaded.reload} />
      {isPreview && <BackfillPreview key={latest.id} backfill={latest} reload={loaded.reload} />}
      <s-section padding="none" heading={texts.activity.pastBackfills}>
        <PageState loaded={loaded} rows={4}>
          {({ backfills }) =>
            backfills.length === 0 ? (
              <s-empty-state heading={texts.activity.noBackfills}>
                <s-paragraph slot="subheading">{texts.activity.noBackfillsText}</s-paragraph>
              </s-empty-state>
            ) : (
              <BackfillsTable backfills={backfills} />
            )
          }
        </PageState>
      </s-section>
    </>
  );
}

function BackfillsTable({ backfills }: { backfills: ListedBackfill[] }) {
  return (
    <s-table>
      <s-table-header-row>
        <s-table-header listSlot="primary">{texts.activity.kind}</s-table-header>
        <s-table-header>{texts.activity.since}</s-table-header>
        <s-table-header>{texts.activity.started}</s-table-header>
        <s-table-header listSlot="inline">{texts.activity.progress}</s-table-header>
      </s-table-header-row>
      <s-table-body>
        {backfills.map((backfill) => (
          <s-table-row key={backfill.id}>
            <s-table-cell>{backfill.dryRun ? texts.activity.isPreview : texts.activity.isImport}</s-table-cell>
            <s-table-cell>{formatDay(backfill.since)}</s-table-cell>
            <s-table-cell>
              {formatTime(backfill.startedAt)}
              <s-paragraph color="subdued">{startedBy(backfill)}</s-paragraph>
            </s-table-cell>
            <s-table-cell>
              <BackfillProgress backfill={backfill} />
            </s-table-cell>
          </s-table-row>
        ))}
      </s-table-body>
    </s-table>
  );
}

function startedBy({ askedBy }: ListedBackfill): string {
  return askedBy === 'cli' ? texts.activity.startedBy.cli : texts.activity.startedBy.merchant;
}

function BackfillProgress({ backfill }: { backfill: ListedBackfill }) {
  const { dryRun, finishedAt, stopped, orders } = backfill;
  const toText = dryRun ? texts.activity.readSoFar : texts.activity.imported;
  return (
    <s-stack gap="small-300">
      <s-stack direction="inline">
        {finishedAt === null && <s-badge tone="info">{texts.activity.running}</s-badge>}
        {finishedAt !== null && stopped === null && <s-badge tone="success">{texts.activity.done}</s-badge>}
        {stopped !== null && <s-badge tone="warning">{texts.activity.stopped}</s-badge>}
      </s-stack>
      {finishedAt === null && (
        <s-progress max={100} value={toPercent(backfill)} accessibilityLabel={texts.activity.progress} />
      )}
      {stopped !== null && <s-paragraph>{stopped}</s-paragraph>}
      <s-text color="subdued">{toText(orders.read, orders.known, orders.taken)}</s-text>
    </s-stack>
  );
}

/** Orders are read oldest first, so the date of the last one shows how much of the period has been read. */
function toPercent({ since, startedAt, readUntil }: ListedBackfill): number {
  if (readUntil === null) return 0;
  const totalMs = Date.parse(startedAt) - Date.parse(since);
  return totalMs <= 0 ? 0 : Math.min(100, Math.round(((Date.parse(readUntil) - Date.parse(since)) / totalMs) * 100));
}
