import type { ShownAlerts } from '../../../alerts/read-alerts.ts';
import type { SentTest } from '../../../alerts/send-test.ts';
import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { ApiError, callApi } from '../../api.ts';
import { formatTime } from '../../format.ts';
import { Outcome, useOutcome } from '../../parts/outcome.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';
import { SecretCard } from './secret-card.tsx';

interface CardProps {
  settings: ShownSettings;
  onSaved: (settings: ShownSettings) => void;
}

/** Explains, above the field for email addresses, why this installation sends no emails. */
export function NoMailNotice() {
  const { data } = useData<ShownAlerts>('/api/alerts');
  return data?.canMail === false ? <s-banner tone="info">{texts.settings.noMail}</s-banner> : null;
}

/** Two cards: one for the chat that receives alerts, and one that shows whether alerts arrive. */
export function AlertCards({ settings, onSaved }: CardProps) {
  return (
    <>
      <ChatCard settings={settings} onSaved={onSaved} />
      <AlertStatusCard settings={settings} />
    </>
  );
}

function ChatCard({ settings: { alertSlackUrl: saved }, onSaved }: CardProps) {
  const save = async (alertSlackUrl: string | null, done: string): Promise<string> => {
    onSaved(await callApi<ShownSettings>('PUT', '/api/settings', { alertSlackUrl }));
    return done;
  };
  return (
    <SecretCard
      heading={texts.settings.chat}
      about={`${texts.settings.chatText} ${saved === null ? texts.settings.noChat : texts.settings.hasChat(saved.last4)}`}
      field={{ name: 'alertSlackUrl', label: texts.settings.chatLabel }}
      save={{ label: texts.settings.saveChat, act: (url) => save(url, texts.settings.chatSaved) }}
      remove={
        saved && {
          id: 'remove-chat',
          label: texts.settings.removeChat,
          title: texts.settings.removeChat,
          text: texts.settings.removeChatText,
          act: () => save(null, texts.settings.chatRemoved),
        }
      }
    />
  );
}

function AlertStatusCard({ settings: { alertEmails, alertSlackUrl } }: Pick<CardProps, 'settings'>) {
  const { data, reload } = useData<ShownAlerts>('/api/alerts');
  const { outcome, isRunning, run } = useOutcome(reload);
  const isUsed = { email: alertEmails.length > 0, slack: alertSlackUrl !== null };
  const used = data?.channels.filter(({ channel }) => isUsed[channel]) ?? [];
  const test = async (): Promise<string> => {
    const { channels } = await callApi<{ channels: SentTest[] }>('POST', '/api/alerts/test');
    const failed = channels.flatMap(({ channel, problem }) =>
      problem === null ? [] : [`${texts.settings.channels[channel]}: ${problem.message}`],
    );
    if (failed.length > 0) throw new ApiError({ code: 'failed', status: 0, message: failed.join(' ') });
    return texts.settings.testSent(channels.map(({ channel }) => texts.settings.channels[channel]).join(', '));
  };
  return (
    <s-section heading={texts.settings.arrival}>
      <s-stack gap="base">
        <s-paragraph>{texts.settings.arrivalText}</s-paragraph>
        {used.map(({ channel, alertedAt, problem, failedAt }) => (
          <s-stack key={channel} gap="small-100">
            <s-heading>{texts.settings.channels[channel]}</s-heading>
            <s-paragraph color="subdued">
              {alertedAt === null ? texts.settings.noAlertYet : texts.settings.alertedAt(formatTime(alertedAt))}
            </s-paragraph>
            {problem !== null && (
              <s-banner tone="warning">
                {failedAt !== null && `${texts.settings.failedAt(formatTime(failedAt))} `}
                {problem.message}
              </s-banner>
            )}
          </s-stack>
        ))}
        <s-stack direction="inline">
          <s-button
            disabled={isRunning || !(isUsed.email || isUsed.slack)}
            loading={isRunning}
            onClick={() => void run(test)}
          >
            {texts.settings.sendTestMessage}
          </s-button>
        </s-stack>
        <Outcome outcome={outcome} />
      </s-stack>
    </s-section>
  );
}
