import { useEffect, useState } from 'preact/hooks';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { readStored, store } from '../../storage.ts';
import { texts } from '../../texts/texts.ts';

/** The key contains the shop, because a browser may be signed in to several shops. */
const toKey = (shop: string): string => `platen-guide-dismissed ${shop}`;

/** The steps until the first order has been sent. It can be dismissed, and disappears when all steps are complete. */
export function Guide({ guide, shop }: { guide: HomeData['guide']; shop: string }) {
  const [isDismissed, setDismissed] = useState(false);
  // The server cannot read this browser's storage, so the first render must show the guide on both sides.
  useEffect(() => setDismissed(readStored(toKey(shop)) === 'yes'), [shop]);
  const steps: [done: boolean, text: string, href: string][] = [
    [guide.hasKey, texts.home.keyStep, '/settings/connection'],
    [guide.hasAddress, texts.home.addressStep, '/settings/connection'],
    [guide.hasLink, texts.home.linkStep, '/products'],
    [guide.hasRules, texts.home.rulesStep, '/settings/release'],
    [guide.hasOrder, guide.hasOrder ? texts.home.orderStepText : texts.home.orderStep, '/orders'],
  ];
  const done = steps.filter(([isDone]) => isDone).length;
  if (done === steps.length) return null;
  const dismiss = (next: boolean): void => {
    store(toKey(shop), next ? 'yes' : 'no');
    setDismissed(next);
  };
  if (isDismissed)
    return (
      <s-stack direction="inline">
        <s-button variant="tertiary" onClick={() => dismiss(false)}>
          {texts.home.showGuide}
        </s-button>
      </s-stack>
    );
  return (
    <s-section heading={texts.home.guide} subheading={texts.home.guideText(done, steps.length)}>
      <s-button slot="secondary-actions" variant="tertiary" onClick={() => dismiss(true)}>
        {texts.home.dismiss}
      </s-button>
      {steps.map(([isDone, text, href]) => (
        <s-stack key={text} direction="inline" gap="small-100" alignItems="center">
          <s-icon type={isDone ? 'check-circle' : 'circle-dashed'} tone={isDone ? 'success' : 'neutral'} />
          {isDone ? <s-text color="subdued">{text}</s-text> : <s-link href={href}>{text}</s-link>}
        </s-stack>
      ))}
    </s-section>
  );
}
