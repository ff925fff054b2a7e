import { once } from 'node:events';
import { readConfig } from '../../config.ts';
import { requireSandbox } from '../../demo/require-sandbox.ts';
import { writeLine } from '../../terminal.ts';

/** `platen sandbox`: runs only the two stand-ins, until the process receives SIGINT or SIGTERM. */
export async function sandbox(): Promise<void> {
  requireSandbox('platen sandbox cannot run');
  const { startSandbox } = await import('../../../sandbox/start.ts');
  const { home, sandbox: options, shopify } = readConfig();
  const { printPort, storePort, appUrl, advanceSeconds, extended } = options;
  const started = await startSandbox({
    home,
    print: { port: printPort, advanceSeconds, extended },
    store: { port: storePort, appUrl, apiKey: shopify.apiKey, apiSecret: shopify.apiSecret },
  });
  writeLine(`The print service's stand-in listens on ${started.print?.url}.`);
  writeLine(`The store's stand-in listens on ${started.store?.url}.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await started.close();
}
