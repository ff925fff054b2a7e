import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { HomeData } from '../../../http/pages/admin/read-home.ts';
import { formatDay, formatTime } from '../../format.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { formatScopes, requestScopes } from '../../scopes.ts';
import { texts } from '../../texts/texts.ts';
import type { Section } from '../settings/sections.ts';

/**
 * The state of one connection. `bad` means that orders are waiting until the connection is fixed. `missing` means that Platen works with
 * limitations.
 */
export interface ConnectionRow {
  id: string;
  title: string;
  mark: 'good' | 'bad' | 'missing';
  says: string;
  text?: string;
  /** The times of the last delivery and the last check. Shown in every state. */
  times?: string;
  action?: ComponentChildren;
}

const TONES = { good: 'success', bad: 'critical', missing: 'warning' } as const;

/** Returns the state of the connections to the store and the print service, and other problems that need the merchant's attention. */
export function toConnectionRows(home: HomeData, reload: () => Promise<void>): ConnectionRow[] {
  return [
    toStoreRow(home),
    toAccountRow(home),
    toAddressRow(home),
    ...toRatesRows(home),
    ...toSettingRows(home, reload),
    ...toPrivacyRows(home),
  ];
}

export function ConnectionRows({ rows }: { rows: readonly ConnectionRow[] }) {
  return (
    <s-stack gap="base">
      {rows.map(({ id, title, mark, says, text, times, action }) => (
        <s-stack key={id} gap="small-300">
          <s-stack direction="inline" gap="small-100" alignItems="center">
            <s-heading>{title}</s-heading>
            <s-badge tone={TONES[mark]}>{says}</s-badge>
          </s-stack>
          {text !== undefined && <s-paragraph color="subdued">{text}</s-paragraph>}
          {times !== undefined && times !== '' && <s-paragraph color="subdued">{times}</s-paragraph>}
          {action}
        </s-stack>
      ))}
    </s-stack>
  );
}

/** Returns the text that says when the last webhook or event arrived, or that none has arrived. */
function describeLastDelivery(describe: (time: string) => string, at: string | null): string {
  return describe(at === null ? texts.home.notReceived : formatTime(at));
}

function describeLastPoll(at: string | null): string {
  return at === null ? '' : texts.home.polledAt(formatTime(at));
}

function toStoreRow({ connections: { store, silent }, polledAt, receivedAt }: HomeData): ConnectionRow {
  const times =
    `${describeLastDelivery(texts.home.webhookAt, receivedAt.store)} ${describeLastPoll(polledAt.store)}`.trim();
  const row = { id: 'store', title: texts.home.store, times };
  if (store.fencedOffAt !== null)
    return {
      ...row,
      mark: 'bad',
      says: texts.home.fencedOff,
      text: texts.home.fencedOffText(formatTime(store.fencedOffAt)),
    };
  if (store.refusedAt !== null)
    return {
      ...row,
      mark: 'bad',
      says: texts.home.storeRefused,
      text: texts.home.storeRefusedText(formatTime(store.refusedAt)),
    };
  if (store.missingScopes.length > 0) {
    const text = texts.home.scopesMissingText(formatScopes(store.missingScopes));
    return { ...row, mark: 'bad', says: texts.home.scopesMissing, text };
  }
  if (store.editRequestsHiddenAt !== null) {
    const text = texts.home.editRequestsHiddenText(formatTime(store.editRequestsHiddenAt));
    return { ...row, mark: 'missing', says: texts.home.editRequestsHidden, text };
  }
  if (silent.shopify)
    return {
      ...row,
      mark: 'missing',
      says: texts.home.silent,
      text: texts.home.storeSilentText(formatTime(silent.shopify)),
    };
  return {
    ...row,
    mark: 'good',
    says: texts.home.storeGood,
    text: store.domain,
  };
}

function toAccountRow({ connections: { printAccount }, keyLast4, polledAt }: HomeData): ConnectionRow {
  const polled = describeLastPoll(polledAt.print);
  const row = { id: 'account', title: texts.home.account, times: polled };
  const action = <SettingsButton section="connection" />;
  if (printAccount === null)
    return { ...row, mark: 'bad', says: texts.home.keyMissing, text: texts.home.keyMissingText, action };
  if (printAccount.state === 'refused') {
    const text = texts.home.keyRefusedText(printAccount.message ?? '');
    return {
      ...row,
      mark: 'bad',
      says: texts.home.keyRefused,
      text,
      times: describeRefusal(printAccount.refusedAt, polled),
      action,
    };
  }
  if (printAccount.paymentRefusedAt !== null) {
    const text = texts.home.paymentRefusedText(printAccount.waitingForPayment);
    return {
      ...row,
      mark: 'bad',
      says: texts.home.paymentRefused,
      text,
      times: describeRefusal(printAccount.paymentRefusedAt, polled),
    };
  }
  const text = texts.home.accountGoodText(keyLast4 ?? '');
  return { ...row, mark: 'good', says: texts.home.accountGood, text };
}

function describeRefusal(at: string | null, polled: string): string {
  return at === null ? polled : `${texts.home.refusedSince(formatTime(at))} ${polled}`;
}

function toAddressRow({ connections: { printAddressMadeAt, silent }, receivedAt }: HomeData): ConnectionRow {
  const times = describeLastDelivery(texts.home.eventAt, receivedAt.print);
  const row = { id: 'address', title: texts.home.address, times };
  if (printAddressMadeAt === null)
    return {
      ...row,
      mark: 'missing',
      says: texts.home.addressMissing,
      text: texts.home.addressMissingText,
      action: <SettingsButton section="connection" />,
    };
  if (silent.print)
    return {
      ...row,
      mark: 'missing',
      says: texts.home.silent,
      text: texts.home.addressSilentText(formatTime(silent.print)),
    };
  return { ...row, mark: 'good', says: texts.home.addressGood, text: formatTime(printAddressMadeAt) };
}

function toRatesRows({ connections: { rates, settingsWithoutScope }, ratesProblem }: HomeData): ConnectionRow[] {
  if (rates === null || settingsWithoutScope.some(({ setting }) => setting === 'liveRates')) return [];
  const row = { id: 'rates', title: texts.home.rates };
  const action = <SettingsButton section="rates" />;
  if (ratesProblem !== null)
    return [
      {
        ...row,
        mark: 'missing',
        says: ratesProblem.says,
        text: `${ratesProblem.message} ${ratesProblem.steps}`,
        action,
      },
    ];
  if (!rates.isRegistered)
    return [{ ...row, mark: 'missing', says: texts.home.ratesRegistering, text: texts.home.ratesRegisteringText }];
  if (!rates.hasFallback) return [{ ...row, mark: 'missing', says: texts.home.ratesNoFallback, action }];
  return [{ ...row, mark: 'good', says: texts.home.ratesGood }];
}

function toSettingRows(
  { connections: { settingsWithoutScope } }: HomeData,
  reload: () => Promise<void>,
): ConnectionRow[] {
  return settingsWithoutScope.map(({ setting, scope }) => ({
    id: setting,
    title: texts.settings.fields[setting]?.label ?? setting,
    mark: 'missing',
    says: texts.home.permissionRevoked,
    text: texts.home.permissionRevokedText(formatScopes([scope])),
    action: <GrantScopeButton scope={scope} reload={reload} />,
  }));
}

function toPrivacyRows({ connections: { dataRequests, heldByPrintService } }: HomeData): ConnectionRow[] {
  return [
    ...dataRequests.map(({ id, dueAt }): ConnectionRow => ({
      id: `request-${id}`,
      title: texts.home.dataRequest,
      mark: 'missing',
      says: texts.home.actionNeeded,
      text: texts.home.dataRequestText(formatDay(dueAt)),
      action: (
        <DownloadButton
          path={`/api/privacy-requests/${id}/export`}
          name={`customer-data-${id}.json`}
          label={texts.home.download}
        />
      ),
    })),
    ...heldByPrintService.map(({ id, orders }): ConnectionRow => ({
      id: `erased-${id}`,
      title: texts.home.erased,
      mark: 'missing',
      says: texts.home.actionNeeded,
      text: texts.home.erasedText(orders.join(', ')),
    })),
  ];
}

function SettingsButton({ section }: { section: Section }) {
  return (
    <s-stack direction="inline">
      <s-button href={`/settings/${section}`}>{texts.home.openSettings}</s-button>
    </s-stack>
  );
}

/** A button that asks the merchant to grant a revoked permission again. */
function GrantScopeButton({ scope, reload }: { scope: string; reload: () => Promise<void> }) {
  const [error, setError] = useState<string | null>(null);
  const run = async (): Promise<void> => {
    const isGranted = await requestScopes([scope]);
    setError(isGranted ? null : texts.permissions.refused(formatScopes([scope])));
    if (isGranted) await reload();
  };
  return (
    <s-stack direction="inline" gap="small-100">
      <s-button onClick={() => void run()}>{texts.permissions.grant}</s-button>
      {error !== null && <s-text tone="critical">{error}</s-text>}
    </s-stack>
  );
}
