import { readFileSync } from 'node:fs';
import { formatAddress } from 'localized-address-format';
import type { Shop } from '../../../database/entities/shops.ts';
import type { PackingSlip } from '../../../shipments/packing-slips/read-packing-slips.ts';
import { readSettings, type Settings } from '../../../shops/settings/settings.ts';
import { Html, html } from '../html.ts';
import { chooseSlipTexts, type SlipTexts } from './slip-texts.ts';

const style = new Html(readFileSync(new URL('slips.css', import.meta.url), 'utf8'));
/** The admin may show the document without its headers, so the document contains its own policy. */
const POLICY = "default-src 'none'; img-src https:; style-src 'unsafe-inline'";

/** Renders a document with one slip per page. The document loads nothing but the shop's logo. */
export function renderPackingSlips(
  slips: readonly PackingSlip[],
  { shop, language }: { shop: Shop; language: string },
): string {
  const { texts } = chooseSlipTexts(null, language);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${texts.title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        ${slips.map((slip) => renderSlip(slip, shop, language))}
      </body>
    </html> `.text;
}

function renderSlip(slip: PackingSlip, shop: Shop, language: string): Html {
  const { locale, texts } = chooseSlipTexts(slip.locale, language);
  const { packingSlip, returnAddress } = readSettings(shop);
  return html`<article class="slip" lang="${locale}">
    <header>
      ${renderSender(shop, packingSlip?.logoUrl)}
      <h1>${texts.title}</h1>
    </header>
    ${renderFacts(slip, { locale, texts, timeZone: shop.timeZone })}
    <div class="addresses">
      ${renderBlock(texts.to, slip.to ? toLines(slip.to, locale) : [texts.noAddress])}
      ${returnAddress && renderBlock(texts.from, toLines(returnAddress, locale))}
    </div>
    ${renderLines(slip.lines, texts)}
    <div class="notes">
      ${slip.isDivided && html`<p>${texts.isDivided}</p>`} ${slip.hasMore && html`<p>${texts.hasMore}</p>`}
      ${renderNote(slip.note, texts)}
      ${packingSlip?.message !== undefined && html`<p dir="auto">${packingSlip.message}</p>`}
    </div>
  </article> `;
}

function renderNote(note: string | null, { gift }: SlipTexts): Html | null {
  const text = note?.trim() ?? '';
  if (text === '') return null;
  return html`<section class="gift" dir="auto">
    <h2>${gift}</h2>
    <span>${text}</span>
  </section>`;
}

function renderSender({ name, domain }: Shop, logoUrl: string | undefined): Html {
  const sender = name ?? domain;
  return logoUrl === undefined
    ? html`<p class="shop" dir="auto">${sender}</p>`
    : html`<img src="${logoUrl}" alt="${sender}" />`;
}

function renderFacts(
  { order, placedAt, tracking }: PackingSlip,
  { locale, texts, timeZone }: { locale: string; texts: SlipTexts; timeZone: string | null },
): Html {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timeZone ?? 'UTC' }).format(placedAt);
  const code = tracking && [tracking.carrier, tracking.code].filter((one) => one !== null).join(' ');
  const facts = [
    [texts.order, order],
    [texts.date, date],
    [texts.tracking, code],
  ] as const;
  return html`<dl>
    ${facts.map(
      ([name, value]) =>
        value !== null &&
        html`<div>
          <dt>${name}</dt>
          <dd dir="auto">${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderBlock(title: string, lines: readonly string[]): Html {
  return html`<section>
    <h2>${title}</h2>
    <address dir="auto">${lines.map((line, index) => html`${index > 0 && new Html('<br />')}${line}`)}</address>
  </section>`;
}

function renderLines(lines: PackingSlip['lines'], { item, quantity }: SlipTexts): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${item}</th>
        <th scope="col" class="quantity">${quantity}</th>
      </tr>
    </thead>
    <tbody>
      ${lines.map(
        (line) =>
          html`<tr>
            <td dir="auto">${line.title} ${renderItemDetails(line)}</td>
            <td class="quantity">${line.quantity}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderItemDetails({ title, variantTitle, sku }: PackingSlip['lines'][number]): Html | null {
  const more = [variantTitle, sku === title ? null : sku].filter(Boolean).join(' · ');
  return more === '' ? null : html`<div class="more" dir="auto">${more}</div>`;
}

type Address = Partial<NonNullable<PackingSlip['to']>> | NonNullable<Settings['returnAddress']>;

/** Returns the lines of an address in the format of its country, without the email address and phone number. */
function toLines(address: Address, locale: string): string[] {
  const { firstName, lastName } = address as Partial<NonNullable<PackingSlip['to']>>;
  const { companyName, addressLine1, addressLine2, city, postCode, state, country } = address;
  const filled = (parts: readonly (string | undefined)[]): string[] => parts.filter((part) => part !== undefined);
  const lines = formatAddress({
    name: filled([firstName, lastName]).join(' '),
    organization: companyName ?? '',
    addressLines: filled([addressLine1, addressLine2]),
    locality: city ?? '',
    administrativeArea: state ?? '',
    postalCode: postCode ?? '',
    ...(country !== undefined && { postalCountry: country }),
  });
  const countryName = country && new Intl.DisplayNames(locale, { type: 'region' }).of(country);
  return [...lines, ...filled([countryName])].filter((line) => line.trim() !== '');
}
