import type { ComponentChildren } from 'preact';
import { navigate } from '../../router.ts';
import { texts } from '../../texts/texts.ts';
import { toViewHref, getCurrentView, VIEWS, type View } from './view-filters.ts';
import { Backfills } from './backfills.tsx';
import { Costs } from './costs.tsx';
import { Events } from './events.tsx';
import { PollLog } from './poll-log.tsx';
import { Polls } from './polls.tsx';
import { Privacy } from './privacy.tsx';

const CONTENTS: Record<View, () => ComponentChildren> = {
  events: () => <Events />,
  polls: () => (
    <>
      <Polls />
      <PollLog />
    </>
  ),
  backfills: () => <Backfills />,
  costs: () => <Costs />,
  privacy: () => <Privacy />,
};

/**
 * The page with webhooks, events, polls, backfills, costs and privacy requests. The address names the view, so that it can be linked and
 * reloaded.
 */
export function ActivityPage() {
  const shown = getCurrentView();
  return (
    <s-page heading={texts.activity.title} inlineSize="large">
      <s-box accessibilityRole="navigation" accessibilityLabel={texts.activity.views}>
        <s-stack direction="inline" gap="small-100">
          {VIEWS.map((view) => (
            <s-press-button key={view} pressed={view === shown} onClick={() => navigate(toViewHref(view))}>
              {texts.activity[view]}
            </s-press-button>
          ))}
        </s-stack>
      </s-box>
      {CONTENTS[shown]()}
    </s-page>
  );
}
