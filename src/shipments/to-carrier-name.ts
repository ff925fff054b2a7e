/** The data from which Platen determines a parcel's carrier. */
export interface CarriedParcel {
  shipmentMethodUid: string | null;
  shipmentMethodName: string | null;
  trackingUrl: string | null;
}

/** Domains of carriers' tracking pages, by company as spelled in Shopify's list of supported tracking companies. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  '4PX': ['4px.com'],
  'An Post': ['anpost.com', 'anpost.ie'],
  'Aramex Australia': ['aramex.com.au'],
  'Asendia USA': ['asendiausa.com'],
  'Australia Post': ['auspost.com.au'],
  BPost: ['bpost.be', 'bpost.cloud'],
  BRT: ['brt.it'],
  Bluedart: ['bluedart.com'],
  Bring: ['bring.com', 'bring.no'],
  'Canada Post': ['canadapost-postescanada.ca', 'canadapost.ca'],
  Canpar: ['canpar.com'],
  Chronopost: ['chronopost.fr'],
  'Colis Privé': ['colisprive.com', 'colisprive.fr'],
  Colissimo: ['colissimo.fr'],
  Correios: ['correios.com.br'],
  Correos: ['correos.es'],
  'Couriers Please': ['couriersplease.com.au'],
  CTT: ['ctt.pt'],
  'CTT Express': ['cttexpress.com'],
  Delhivery: ['delhivery.com'],
  'Deutsche Post': ['deutschepost.de'],
  DHL: ['dhl.de'],
  'DHL eCommerce': ['dhlglobalmail.com', 'dhlecommerce.com'],
  'DHL eCommerce Asia': ['dhlecommerce.asia'],
  'DHL Parcel': ['dhlparcel.nl', 'dhlparcel.co.uk'],
  DPD: ['dpd.com', 'dpd.de', 'dpd.nl', 'dpd.fr', 'dpd.be'],
  'DPD Ireland': ['dpd.ie'],
  'DPD Local': ['dpdlocal.co.uk'],
  'DPD UK': ['dpd.co.uk'],
  Evri: ['evri.com', 'myhermes.co.uk'],
  FedEx: ['fedex.com'],
  GLS: ['gls-group.com', 'gls-group.eu', 'gls-pakete.de', 'gls-us.com'],
  'GLS Italy': ['gls-italy.com'],
  Hermes: ['myhermes.de', 'hermesworld.com'],
  'India Post': ['indiapost.gov.in'],
  Inpost: ['inpost.pl'],
  'Israel Post': ['israelpost.co.il'],
  'Japan Post (EN)': ['japanpost.jp'],
  'La Poste': ['laposte.fr'],
  Lasership: ['lasership.com'],
  'Mondial Relay': ['mondialrelay.fr', 'mondialrelay.com'],
  'New Zealand Post': ['nzpost.co.nz'],
  OnTrac: ['ontrac.com'],
  Packeta: ['packeta.com'],
  Parcelforce: ['parcelforce.com'],
  'Portal PostNord': ['portal.postnord.com'],
  'Poste Italiane': ['poste.it'],
  PostNL: ['postnl.nl', 'postnl.post'],
  'PostNord DK': ['postnord.dk'],
  'PostNord NO': ['postnord.no'],
  'PostNord SE': ['postnord.se'],
  Purolator: ['purolator.com'],
  'Royal Mail': ['royalmail.com'],
  'Sagawa (EN)': ['sagawa-exp.co.jp'],
  Sendle: ['sendle.com'],
  SEUR: ['seur.com'],
  'SF Express': ['sf-express.com'],
  'Singapore Post': ['singpost.com'],
  StarTrack: ['startrack.com.au'],
  'Swiss Post': ['post.ch'],
  TNT: ['tnt.com'],
  UPS: ['ups.com'],
  USPS: ['usps.com'],
  Venipak: ['venipak.com', 'venipak.lt'],
  Whistl: ['whistl.co.uk'],
  'Yamato (EN)': ['kuronekoyamato.co.jp'],
  Yodel: ['yodel.co.uk'],
  YunExpress: ['yunexpress.com', 'yuntrack.com'],
  Zásilkovna: ['zasilkovna.cz'],
  'Österreichische Post': ['post.at'],
};

/**
 * Companies by the first words of a shipment method's name or UID, such as `fed_ex_2_day` or `Royal Mail Tracked 48`. The first match
 * applies. The service's UIDs for PostNL methods contain the carrier's former name, TNT.
 */
const METHODS: readonly (readonly [words: string, company: string])[] = [
  ['an post', 'An Post'],
  ['asendia usa', 'Asendia USA'],
  ['australia post', 'Australia Post'],
  ['bpost international', 'BPost International'],
  ['bpost', 'BPost'],
  ['bring', 'Bring'],
  ['canada post', 'Canada Post'],
  ['chronopost', 'Chronopost'],
  ['colissimo', 'Colissimo'],
  ['correios', 'Correios'],
  ['correos', 'Correos'],
  ['deutsche post', 'Deutsche Post'],
  ['dhl express', 'DHL Express'],
  ['dhl ecommerce asia', 'DHL eCommerce Asia'],
  ['dhl ecommerce', 'DHL eCommerce'],
  ['dhl global mail', 'DHL eCommerce'],
  ['dhl global parcel', 'DHL'],
  ['dhl paket', 'DHL'],
  ['dhl parcel', 'DHL'],
  ['dpd ireland', 'DPD Ireland'],
  ['dpd local', 'DPD Local'],
  ['dpd uk', 'DPD UK'],
  ['dpd', 'DPD'],
  ['evri', 'Evri'],
  ['fed ex', 'FedEx'],
  ['fedex', 'FedEx'],
  ['gls', 'GLS'],
  ['japan post', 'Japan Post (EN)'],
  ['la poste', 'La Poste'],
  ['mondial relay', 'Mondial Relay'],
  ['new zealand post', 'New Zealand Post'],
  ['ontrac', 'OnTrac'],
  ['parcelforce', 'Parcelforce'],
  ['post nl', 'PostNL'],
  ['poste italiane', 'Poste Italiane'],
  ['postnl', 'PostNL'],
  ['purolator', 'Purolator'],
  ['royal mail', 'Royal Mail'],
  ['sagawa', 'Sagawa (EN)'],
  ['sendle', 'Sendle'],
  ['singapore post', 'Singapore Post'],
  ['smartpost', 'FedEx'],
  ['startrack', 'StarTrack'],
  ['swiss post', 'Swiss Post'],
  ['tnt global pack', 'PostNL'],
  ['tnt parcel', 'PostNL'],
  ['tnt', 'TNT'],
  ['ups', 'UPS'],
  ['usps', 'USPS'],
  ['yamato', 'Yamato (EN)'],
];

const BY_DOMAIN = new Map(
  Object.entries(DOMAINS).flatMap(([company, domains]) => domains.map((domain) => [domain, company] as const)),
);

/**
 * Finds a parcel's tracking company, spelled exactly as in Shopify's list, by the tracking page's host, or else by the shipment method's
 * name or UID. Returns null if the company is unknown. The store then shows only the URL.
 */
export function toCarrierName({ shipmentMethodUid, shipmentMethodName, trackingUrl }: CarriedParcel): string | null {
  return carrierOfUrl(trackingUrl) ?? carrierOfMethod(shipmentMethodName) ?? carrierOfMethod(shipmentMethodUid);
}

function carrierOfUrl(url: string | null): string | null {
  const labels = (url === null ? undefined : URL.parse(url)?.hostname)?.split('.') ?? [];
  for (let start = 0; start < labels.length; start += 1) {
    const company = BY_DOMAIN.get(labels.slice(start).join('.'));
    if (company !== undefined) return company;
  }
  return null;
}

function carrierOfMethod(method: string | null): string | null {
  const words = (method ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ');
  return METHODS.find(([start]) => `${words} `.startsWith(`${start} `))?.[1] ?? null;
}
