import { DefaultNamingStrategy } from 'typeorm';

/** Column names are snake_case in SQL and camelCase in code: `shopifyOrderId` is `shopify_order_id`. */
export class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
