import { texts } from '../../texts/texts.ts';

const EXAMPLE = `variant_id,sku,product_uid,file_url,page_count
49011223344550,,flat_300x400-mm-12x16-inch_170-gsm-65lb-uncoated_4-0_ver,https://files.example/poster.pdf,
,MUG-11OZ,mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0,https://files.example/mug.pdf,`;

/** Explains the columns of the file, with an example. */
export function FormatHelp() {
  return (
    <s-section heading={texts.importPage.format}>
      <s-paragraph>{texts.importPage.formatText}</s-paragraph>
      <s-unordered-list>
        {Object.entries(texts.importPage.columns).map(([column, text]) => (
          <s-list-item key={column}>
            <s-text type="strong">{column}</s-text>: {text}
          </s-list-item>
        ))}
      </s-unordered-list>
      <s-heading>{texts.importPage.example}</s-heading>
      <pre class="example" tabIndex={0} role="region" aria-label={texts.importPage.example}>
        {EXAMPLE}
      </pre>
      <s-paragraph>{texts.importPage.copyLink}</s-paragraph>
    </s-section>
  );
}
