/**
 * SQL: Platen acts for a shop of the table with this alias. It reads the store and the print service only for these shops. No shop is
 * active while it must sign in, or while another database acts for its store (docs/rules/created-once.md#one-database).
 */
export function isActiveSql(alias = 's'): string {
  return `(${alias}.state = 'installed' and ${alias}.fenced_off_at is null)`;
}
