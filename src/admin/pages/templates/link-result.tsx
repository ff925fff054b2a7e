import type { LinkedFromTemplate } from '../../../products/from-template/link-from-template.ts';
import { texts } from '../../texts/texts.ts';

/** A row for a variant, or for a product that is not in the store. */
interface Line {
  productId: string;
  variantId: string | null;
  title: string | null;
  isLinked: boolean;
  /** The print product, or why the variant is not linked. */
  details: string;
  file: string | null;
}

/** The dry run, variant by variant. A variant may get a print file of its own. */
export function LinkResult({
  result,
  isStale,
  isRunning,
  fileUrls,
  errorField,
  onFile,
  onSave,
}: {
  result: LinkedFromTemplate;
  /** The form has changed since the dry run. */
  isStale: boolean;
  isRunning: boolean;
  fileUrls: Record<string, string>;
  errorField: { field: string | null; message: string } | null;
  onFile: (variantId: string, url: string) => void;
  onSave: () => void;
}) {
  const changes = result.created + result.changed;
  return (
    <s-stack gap="small-100">
      <s-heading>{texts.templates.planned}</s-heading>
      <s-table>
        <s-table-header-row>
          <s-table-header listSlot="primary">{texts.productPages.variant}</s-table-header>
          <s-table-header listSlot="inline">{texts.productPages.result}</s-table-header>
          <s-table-header>{texts.importPage.details}</s-table-header>
          <s-table-header>{texts.templates.file}</s-table-header>
        </s-table-header-row>
        <s-table-body>
          {toLines(result).map(({ productId, variantId, title, isLinked, details, file }) => (
            <s-table-row key={variantId ?? productId}>
              <s-table-cell>{title ?? productId}</s-table-cell>
              <s-table-cell>
                <s-badge tone={isLinked ? 'success' : 'warning'}>
                  {isLinked ? texts.templates.willLink : texts.templates.stays}
                </s-badge>
              </s-table-cell>
              <s-table-cell>{details}</s-table-cell>
              <s-table-cell>
                {file !== null && variantId !== null && (
                  <s-url-field
                    label={texts.templates.ownFile(title ?? variantId)}
                    labelAccessibilityVisibility="exclusive"
                    value={fileUrls[variantId] ?? file}
                    error={errorField?.field === `fileUrls.${variantId}` ? errorField.message : ''}
                    onInput={(event) => onFile(variantId, event.currentTarget.value)}
                  />
                )}
              </s-table-cell>
            </s-table-row>
          ))}
        </s-table-body>
      </s-table>
      {isStale && <s-banner tone="info">{texts.templates.changedSince}</s-banner>}
      {!isStale && changes === 0 && <s-paragraph>{texts.templates.nothingToLink}</s-paragraph>}
      {!isStale && changes > 0 && (
        <s-stack direction="inline">
          <s-button variant="primary" loading={isRunning} onClick={onSave}>
            {texts.templates.saveLinks(changes)}
          </s-button>
        </s-stack>
      )}
    </s-stack>
  );
}

function toLines({ linked, notLinked }: LinkedFromTemplate): Line[] {
  return [
    ...linked.map(({ productUid, fileUrl, ...one }) => ({
      ...one,
      isLinked: true,
      details: productUid,
      file: fileUrl,
    })),
    ...notLinked.map(({ code, message, ...one }) => ({
      ...one,
      isLinked: false,
      details: message,
      file: code === 'no_file' ? '' : null,
    })),
  ];
}
