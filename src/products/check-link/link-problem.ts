/** The problems that a print link may have. docs/merchants/print-files.md explains the remedy for each of them. */
export type LinkProblemCode =
  // The file and its address.
  | 'file_address_unusable'
  | 'file_not_https'
  | 'file_has_password'
  | 'file_has_port'
  | 'file_host_not_public'
  | 'file_host_unverified'
  | 'file_unreachable'
  | 'file_slow'
  | 'file_redirects'
  | 'file_not_shared'
  | 'file_missing'
  | 'file_not_given'
  | 'file_empty'
  | 'file_is_a_page'
  | 'file_type'
  | 'file_needs_pdf'
  | 'file_too_large'
  | 'file_damaged'
  | 'page_count_differs'
  // The product.
  | 'key_refused'
  | 'unknown_product'
  | 'product_refused'
  | 'not_for_country'
  | 'country_not_supported'
  | 'currency_not_supported'
  | 'no_country'
  | 'print_service_unavailable';

/** The field of the link, or of the shop's settings, that the merchant must change to fix the problem. */
export type LinkProblemField =
  | 'fileUrl'
  | 'pageCount'
  | 'productUid'
  | 'envelopeProductUid'
  | 'printKey'
  | 'currency'
  | 'country';

/** One problem of a print link, with texts for the merchant. */
export interface LinkProblem {
  code: LinkProblemCode;
  field: LinkProblemField;
  message: string;
  remedy: string;
  /** Whether the problem may disappear without a change to the link. If so, the link is rechecked later. */
  mayPass: boolean;
}
