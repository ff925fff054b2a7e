import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { texts } from '../../texts/texts.ts';
import { useAction } from '../../use-action.ts';

/** The setup steps, shown until the first order has been sent to print. Dismissing the guide hides it for everyone in the shop. */
export function Guide({ guide, reload }: { guide: HomeData['guide']; reload: () => Promise<void> }) {
  const { error, isRunning, run } = useAction();
  const steps: [done: boolean, text: string, href: string][] = [
    [guide.hasKey, texts.home.keyStep, '/settings/connection'],
    [guide.hasAddress, texts.home.addressStep, '/settings/connection'],
    [guide.hasLink, texts.home.linkStep, '/products'],
    [guide.hasRules, texts.home.rulesStep, '/settings/release'],
    [false, texts.home.orderStep, '/orders'],
  ];
  const done = steps.filter(([isDone]) => isDone).length;
  // A merchant who keeps the default rules never completes the rules step, so the first order ends the guide.
  if (guide.hasOrder) return null;
  const dismiss = (isDismissed: boolean): void =>
    void run(async () => {
      await callApi('PUT', '/api/home/guide', { isDismissed });
      await reload();
    });
  const failure = error !== null && <s-text tone="critical">{toFieldMessage(error)}</s-text>;
  if (guide.isDismissed)
    return (
      <s-stack direction="inline" gap="small-100" alignItems="center">
        <s-button variant="tertiary" loading={isRunning} onClick={() => dismiss(false)}>
          {texts.home.showGuide}
        </s-button>
        {failure}
      </s-stack>
    );
  return (
    <s-section heading={texts.home.guide} subheading={texts.home.guideText(done, steps.length)}>
      <s-button slot="secondary-actions" variant="tertiary" loading={isRunning} onClick={() => dismiss(true)}>
        {texts.home.dismiss}
      </s-button>
      {failure}
      {steps.map(([isDone, text, href]) => (
        <s-stack key={text} direction="inline" gap="small-100" alignItems="center">
          <s-icon type={isDone ? 'check-circle' : 'circle-dashed'} tone={isDone ? 'success' : 'neutral'} />
          {isDone ? <s-text color="subdued">{text}</s-text> : <s-link href={href}>{text}</s-link>}
        </s-stack>
      ))}
    </s-section>
  );
}
