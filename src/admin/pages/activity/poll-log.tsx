import { loggedPasses, loggedResults, type LoggedPoll } from '../../../polls/list-poll-log.ts';
import { formatMilliseconds, formatNumber, formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { usePages } from '../../use-pages.ts';
import { readFilters, setFilter } from './view-filters.ts';

const REFRESH_SECONDS = 30;
const FILTERS = ['pass', 'result'] as const;

/** The poll runs of the last 30 days that found changes or failed. */
export function PollLog() {
  const filters = readFilters(FILTERS);
  const { loaded, pages } = usePages<{ polls: LoggedPoll[]; next: string | null }>(
    `/api/activity/poll-log?${filters.toString()}`,
    { refreshSeconds: REFRESH_SECONDS },
  );
  return (
    <s-section padding="none" heading={texts.activity.pollLog} subheading={texts.activity.pollLogText}>
      <Filters filters={filters} />
      <PageState loaded={loaded} rows={8}>
        {({ polls }) =>
          polls.length === 0 ? (
            <Empty isFiltered={filters.size > 0} />
          ) : (
            <s-table {...pages}>
              <s-table-header-row>
                <s-table-header listSlot="primary">{texts.activity.poll}</s-table-header>
                <s-table-header>{texts.activity.started}</s-table-header>
                <s-table-header listSlot="inline">{texts.activity.result}</s-table-header>
                <s-table-header>{texts.activity.found}</s-table-header>
                <s-table-header>{texts.activity.fixed}</s-table-header>
                <s-table-header>{texts.activity.duration}</s-table-header>
              </s-table-header-row>
              <s-table-body>
                {polls.map((poll) => (
                  <LogRow key={poll.id} poll={poll} />
                ))}
              </s-table-body>
            </s-table>
          )
        }
      </PageState>
    </s-section>
  );
}

function LogRow({ poll: { pass, firstAt, runs, milliseconds, found, fixed, failures, error } }: { poll: LoggedPoll }) {
  return (
    <s-table-row>
      <s-table-cell>{texts.activity.pollNames[pass] ?? pass}</s-table-cell>
      <s-table-cell>
        {formatTime(firstAt)}
        {runs > 1 && <s-paragraph color="subdued">{texts.activity.runsInHour(runs)}</s-paragraph>}
      </s-table-cell>
      <s-table-cell>
        <s-badge tone={error === null ? 'success' : 'critical'}>
          {error === null ? texts.activity.succeeded : texts.activity.failedPoll(error)}
        </s-badge>
        {failures > 0 && failures < runs && (
          <s-paragraph color="subdued">{texts.activity.failedRuns(failures, runs)}</s-paragraph>
        )}
      </s-table-cell>
      <s-table-cell>{formatNumber(found)}</s-table-cell>
      <s-table-cell>{formatNumber(fixed)}</s-table-cell>
      <s-table-cell>{formatMilliseconds(milliseconds)}</s-table-cell>
    </s-table-row>
  );
}

function Filters({ filters }: { filters: URLSearchParams }) {
  const set = (name: (typeof FILTERS)[number], value: string): void => setFilter('polls', FILTERS, [name, value]);
  return (
    <s-box padding="base">
      <s-query-container>
        <s-grid gridTemplateColumns="@container (inline-size > 700px) 1fr 1fr, 1fr" gap="small-100">
          <s-select
            label={texts.activity.poll}
            value={filters.get('pass') ?? ''}
            onChange={(event) => set('pass', event.currentTarget.value)}
          >
            <s-option value="">{texts.activity.allPolls}</s-option>
            {loggedPasses.map((pass) => (
              <s-option key={pass} value={pass}>
                {texts.activity.pollNames[pass] ?? pass}
              </s-option>
            ))}
          </s-select>
          <s-select
            label={texts.activity.result}
            value={filters.get('result') ?? ''}
            onChange={(event) => set('result', event.currentTarget.value)}
          >
            <s-option value="">{texts.activity.allResults}</s-option>
            {loggedResults.map((result) => (
              <s-option key={result} value={result}>
                {texts.activity.logResults[result]}
              </s-option>
            ))}
          </s-select>
        </s-grid>
      </s-query-container>
    </s-box>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <s-empty-state heading={isFiltered ? texts.activity.noPollsMatch : texts.activity.noLog}>
      <s-paragraph slot="subheading">
        {isFiltered ? texts.activity.changeFilters : texts.activity.noLogText}
      </s-paragraph>
    </s-empty-state>
  );
}
