import { expect, onTestFinished, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten } from '../../helpers/platen.ts';
import { runAlongside } from '../../helpers/run-alongside.ts';
import { CHAT_ADDRESS, CHAT_PATH, PERSON, PERSONAL, RECIPIENTS } from './marked-data.ts';

test('no command shows a buyer’s data or a secret, and only the command that shows a shop’s settings shows their recipients', async () => {
  const platen = await startPlaten();
  onTestFinished(() => platen.stop());
  const { app, shop } = platen;
  await changeSettings(app, shop, { alertSlackUrl: CHAT_ADDRESS, alertEmails: RECIPIENTS });
  const tracked = await platen.placeSkus({ 'POSTER-30X40': 1 }, PERSON);
  await platen.untilState(tracked.id, 'fulfilled');
  const shippingAddress = { ...PERSON.shippingAddress, lastName: 'Quillfeather'.repeat(20) };
  const held = await platen.placeSkus({ 'POSTER-30X40': 1 }, { ...PERSON, shippingAddress });
  await platen.untilState(held.id, 'held');
  const commands = [
    ['orders', 'list'],
    ['orders', 'retry', tracked.name],
    ['orders', 'cancel', '#9999'],
    ['shops', 'test-alerts'],
    ['privacy', 'list'],
    ['shops', 'show'],
  ].map((args) => [...args, '--shop', shop.domain]);
  const shown: string[] = [];
  for (const args of [...commands, ['shops', 'list'], ['doctor']]) {
    const { stdout, stderr } = await runAlongside(platen, ...args);
    const text = `${stdout}\n${stderr}`;
    expect(text, args.join(' ')).not.toMatch(PERSONAL);
    for (const secret of ['sandbox-key', 'sandbox-secret', CHAT_PATH])
      expect(text, args.join(' ')).not.toContain(secret);
    if (RECIPIENTS.some((recipient) => text.includes(recipient))) shown.push(args.slice(0, 2).join(' '));
  }
  expect(shown).toEqual(['shops show']);
});
