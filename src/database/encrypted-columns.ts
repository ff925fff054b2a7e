/** A column with values from `encryptColumn`. */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** The integer column that identifies a row. */
  id: string;
  /** The column that identifies a value's owner. */
  owner: string;
  /** Returns the `place` that `encryptColumn` authenticates with a value of this owner. */
  toPlace: (owner: string | number) => string;
}

/** All encrypted columns. A test compares this list with the database. Changing a place makes existing values unreadable. */
export const encryptedColumns = {
  referenceKey: {
    table: 'installation',
    column: 'reference_key_encrypted',
    id: 'id',
    owner: 'id',
    toPlace: () => 'installation.reference_key',
  },
  printKey: {
    table: 'print_accounts',
    column: 'key_encrypted',
    id: 'id',
    owner: 'key_fingerprint',
    toPlace: (fingerprint) => `print_accounts.key:${fingerprint}`,
  },
  webhookHeader: {
    table: 'shops',
    column: 'print_webhook_header_value_encrypted',
    id: 'id',
    owner: 'id',
    toPlace: (shopId) => `shops.print_webhook_header_value:${shopId}`,
  },
  alertSlackUrl: {
    table: 'shops',
    column: 'alert_slack_url_encrypted',
    id: 'id',
    owner: 'id',
    toPlace: (shopId) => `shops.alert_slack_url:${shopId}`,
  },
  accessToken: {
    table: 'shop_tokens',
    column: 'access_token_encrypted',
    id: 'shop_id',
    owner: 'shop_id',
    toPlace: (shopId) => `shop_tokens.access_token:${shopId}`,
  },
  refreshToken: {
    table: 'shop_tokens',
    column: 'refresh_token_encrypted',
    id: 'shop_id',
    owner: 'shop_id',
    toPlace: (shopId) => `shop_tokens.refresh_token:${shopId}`,
  },
  recipient: {
    table: 'print_orders',
    column: 'recipient_encrypted',
    id: 'id',
    owner: 'reference',
    toPlace: (reference) => `print_orders.recipient:${reference}`,
  },
  body: {
    table: 'print_orders',
    column: 'body_encrypted',
    id: 'id',
    owner: 'reference',
    toPlace: (reference) => `print_orders.body:${reference}`,
  },
} satisfies Record<string, EncryptedColumn>;
