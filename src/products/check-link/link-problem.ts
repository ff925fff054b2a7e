/** What can be wrong with a print link; the page about print files (docs/merchants/print-files.md) says what to do about each. */
export type LinkProblemCode =
  // Of the address of the file, and of the file.
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
  // Of the product.
  | 'key_refused'
  | 'unknown_product'
  | 'product_refused'
  | 'not_for_country'
  | 'country_not_supported'
  | 'currency_not_supported'
  | 'no_country'
  | 'print_service_unavailable';

/** What of a link, or of the shop's settings, a problem is to be mended at. */
export type LinkProblemField =
  | 'fileUrl'
  | 'pageCount'
  | 'productUid'
  | 'envelopeProductUid'
  | 'printKey'
  | 'currency'
  | 'country';

/** One thing that is wrong with a print link, in words for the merchant. */
export interface LinkProblem {
  code: LinkProblemCode;
  field: LinkProblemField;
  message: string;
  remedy: string;
  /** It may be over by itself: checking again later makes sense, and the link is not known to be bad. */
  mayPass: boolean;
}
