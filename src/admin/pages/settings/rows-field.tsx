import type { ComponentChildren } from 'preact';
import { texts } from '../../texts/texts.ts';
import type { RawGroup } from './field-value.ts';

interface RowsProps {
  label: string;
  details: string | undefined;
  message: string;
  rows: readonly RawGroup[];
  /** The empty row that the Add button appends. */
  newRow: RawGroup;
  onChange: (rows: RawGroup[]) => void;
  /** Renders the inputs of one row. */
  children: (index: number) => ComponentChildren;
}

/** A list of rows in the order in which they apply. Rows can be added, moved and removed. */
export function RowsField({ label, details, message, rows, newRow, onChange, children }: RowsProps) {
  const swap = (index: number): void => {
    const [above, one] = [rows[index - 1], rows[index]];
    if (above && one) onChange(rows.with(index - 1, one).with(index, above));
  };
  return (
    <s-stack gap="base">
      <s-heading>{label}</s-heading>
      {details !== undefined && <s-paragraph color="subdued">{details}</s-paragraph>}
      {message !== '' && <s-paragraph tone="critical">{message}</s-paragraph>}
      {rows.length === 0 && <s-paragraph color="subdued">{texts.settings.noRows}</s-paragraph>}
      {rows.map((one, index) => (
        <s-box key={index} padding="base" border="base" borderRadius="base">
          <s-stack gap="base">
            <s-stack direction="inline" gap="small-100" alignItems="center">
              <s-text type="strong">{texts.settings.row(index + 1)}</s-text>
              {index > 0 && (
                <s-button
                  variant="tertiary"
                  accessibilityLabel={texts.settings.moveRowUp(index + 1)}
                  onClick={() => swap(index)}
                >
                  {texts.settings.moveUp}
                </s-button>
              )}
              <s-button
                variant="tertiary"
                tone="critical"
                accessibilityLabel={texts.settings.removeRow(index + 1)}
                onClick={() => onChange(rows.filter((other) => other !== one))}
              >
                {texts.settings.remove}
              </s-button>
            </s-stack>
            {children(index)}
          </s-stack>
        </s-box>
      ))}
      <s-stack direction="inline">
        <s-button onClick={() => onChange([...rows, newRow])}>{texts.settings.addRow}</s-button>
      </s-stack>
    </s-stack>
  );
}
