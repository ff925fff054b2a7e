import type { ListedPoll } from '../../../polls/list-polls.ts';
import { formatMilliseconds, formatNumber, formatTime } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

const REFRESH_SECONDS = 30;

/** The last run of each poll. */
export function Polls() {
  const loaded = useData<{ polls: ListedPoll[] }>('/api/activity/polls', { refreshSeconds: REFRESH_SECONDS });
  return (
    <s-section padding="none" heading={texts.activity.polls} subheading={texts.activity.pollsText}>
      <PageState loaded={loaded} rows={8}>
        {({ polls }) =>
          polls.length === 0 ? (
            <s-empty-state heading={texts.activity.noPolls}>
              <s-paragraph slot="subheading">{texts.activity.noPollsText}</s-paragraph>
            </s-empty-state>
          ) : (
            <s-table>
              <s-table-header-row>
                <s-table-header listSlot="primary">{texts.activity.poll}</s-table-header>
                <s-table-header>{texts.activity.lastRun}</s-table-header>
                <s-table-header listSlot="inline">{texts.activity.result}</s-table-header>
                <s-table-header>{texts.activity.found}</s-table-header>
                <s-table-header>{texts.activity.duration}</s-table-header>
              </s-table-header-row>
              <s-table-body>
                {polls.map((poll) => (
                  <PollRow key={`${poll.pass} ${poll.found === null}`} poll={poll} />
                ))}
              </s-table-body>
            </s-table>
          )
        }
      </PageState>
    </s-section>
  );
}

function PollRow({ poll: { pass, lastAt, milliseconds, lastSucceededAt, error, found } }: { poll: ListedPoll }) {
  const success =
    lastSucceededAt === null ? texts.activity.neverSucceeded : texts.activity.lastSuccess(formatTime(lastSucceededAt));
  return (
    <s-table-row>
      <s-table-cell>{texts.activity.pollNames[pass] ?? pass}</s-table-cell>
      <s-table-cell>{formatTime(lastAt)}</s-table-cell>
      <s-table-cell>
        <s-badge tone={error === null ? 'success' : 'critical'}>
          {error === null ? texts.activity.succeeded : texts.activity.failedPoll(error)}
        </s-badge>
        {error !== null && <s-paragraph color="subdued">{success}</s-paragraph>}
      </s-table-cell>
      <s-table-cell>{found === null ? texts.activity.allShops : formatNumber(found)}</s-table-cell>
      <s-table-cell>{formatMilliseconds(milliseconds)}</s-table-cell>
    </s-table-row>
  );
}
