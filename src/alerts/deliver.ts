import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import type { FileNetwork } from '../print/files/public-host.ts';
import { fillSettings } from '../shops/settings/settings-schema.ts';
import { readAlertSlackUrl } from '../shops/settings/settings.ts';
import type { AlertProblem } from './alert-failed-error.ts';
import { postToSlack } from './channels/post-to-slack.ts';
import { sendMail } from './channels/send-mail.ts';
import type { Message } from './messages/message.ts';
import type { ChannelName } from './read-channels.ts';

/**
 * Sends a message to a shop's recipients in one channel. Returns a problem if only some have received it. Throws AlertFailedError if, as
 * far as Platen knows, none has.
 */
export async function deliver(
  app: App,
  shop: Shop,
  channel: ChannelName,
  message: Message,
  network?: FileNetwork,
): Promise<AlertProblem | null> {
  if (channel === 'email') return sendMail(app, fillSettings(shop.settings).alertEmails, message);
  const url = readAlertSlackUrl(app, shop);
  if (url !== null) await postToSlack(url, message, network);
  return null;
}
