import { readFile } from 'node:fs/promises';
import { parse } from 'smol-toml';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { installScopes } from '../../../shopify/auth/access-scopes.ts';
import { API_VERSION } from '../../../shopify/client.ts';
import type { AppFacts, AppFile } from '../find/find-app-problems.ts';

const FILE = new URL('../../../../shopify.app.toml', import.meta.url);
/** The placeholder for the client ID in the file that Platen ships with. */
const PLACEHOLDER = /^0+$/;

const fileSchema = z.object({
  client_id: z.string(),
  application_url: z.string(),
  access_scopes: z.object({ scopes: z.string() }),
  auth: z.object({ redirect_urls: z.array(z.string()) }),
  webhooks: z.object({
    api_version: z.string(),
    subscriptions: z.array(
      z.object({ topics: z.array(z.string()).default([]), compliance_topics: z.array(z.string()).default([]) }),
    ),
  }),
});

/** Reads the API version, and the operator's shopify.app.toml if this installation has one. */
export async function readAppFacts({ config, clock }: App): Promise<AppFacts> {
  const text = await readFile(FILE, 'utf8').catch(() => null);
  return {
    apiVersion: API_VERSION,
    now: clock.now(),
    apiKey: config.shopify.apiKey,
    appUrl: config.shopify.appUrl,
    scopes: installScopes,
    file: text === null ? null : parseAppFile(text),
  };
}

/** Parses shopify.app.toml. Returns null if the client ID is still the placeholder or the file is not the configuration of an app. */
export function parseAppFile(text: string): AppFile | null {
  const file = fileSchema.safeParse(parse(text)).data;
  if (!file || PLACEHOLDER.test(file.client_id)) return null;
  return {
    clientId: file.client_id,
    applicationUrl: file.application_url,
    redirectUrls: file.auth.redirect_urls,
    scopes: file.access_scopes.scopes.split(',').map((scope) => scope.trim()),
    apiVersion: file.webhooks.api_version,
    topics: file.webhooks.subscriptions.flatMap(({ topics, compliance_topics: more }) => [...topics, ...more]),
  };
}
