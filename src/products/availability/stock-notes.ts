const SENTENCES = {
  not_at_location:
    "It cannot be delivered, and stays sellable: it is not stocked at Platen's location, so its stock is not Platen's to set.",
  tracked_by_merchant:
    'It cannot be delivered, and stays sellable: its stock is counted in the store, which is yours to do.',
  own_stock:
    'It cannot be delivered by the print service, and stays sellable: there is stock of it at another location.',
  changed: 'It was made unsellable, and somebody has changed that in the store: it is left as it is.',
  counted_since:
    'It was made unsellable, and stock of it is counted at another location since: its stock stays counted in the store, as that is yours to say now. To sell it without counting again, switch off "Track quantity" in the store.',
  no_permission:
    'It was made unsellable, and the store no longer gives the permission write_products, without which it cannot be put back.',
  unsellable: 'It cannot be delivered to any region that the shop ships to.',
} as const;

/** What there is to say of a variant's stock. */
export type StockNote = { code: string; message: string } | null;

/** Why a variant's stock is as it is, for a merchant. */
export function sayOfStock(code: keyof typeof SENTENCES): NonNullable<StockNote> {
  return { code, message: SENTENCES[code] };
}
