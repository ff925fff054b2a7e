import type { ComponentChildren } from 'preact';
import { texts } from '../../texts/texts.ts';
import { toRawGroup, type Raw, type RawGroup } from './field-value.ts';
import { RowsField } from './rows-field.tsx';
import type { Field } from './sections.ts';

/** An error from the API, with the path of the field that shows it. */
export interface FieldError {
  path: string;
  message: string;
}

interface FieldProps {
  field: Field;
  /** The field's place in the settings, such as `fallbackRates.0.name`. */
  path: string;
  raw: Raw;
  error: FieldError | null;
  onChange: (raw: Raw) => void;
}

/** The inputs for one setting, or for a part of one. */
function SettingField({ field, path, raw, error, onChange }: FieldProps) {
  // Rows share their texts, so those are stored without the row's number.
  const { label, details } = texts.settings.fields[path.replaceAll(/\.\d+/g, '')] ?? { label: field.name };
  const message = error?.path === path ? error.message : '';
  const shared = { label, error: message, name: path, ...(details !== undefined && { details }) };
  const value = typeof raw === 'string' ? raw : '';
  const onText = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value);
  switch (field.kind) {
    case 'switch':
      return (
        <s-switch {...shared} checked={raw === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'choice':
      return (
        <s-select {...shared} value={value} onChange={onText}>
          {field.empty === undefined && path.includes('.') && <s-option value="">{texts.settings.any}</s-option>}
          {field.options.map((option) => (
            <s-option key={option} value={option}>
              {texts.settings.choices[`${path.replaceAll(/\.\d+/g, '')}.${option}`] ?? option}
            </s-option>
          ))}
        </s-select>
      );
    case 'number':
      return (
        <s-number-field
          {...shared}
          value={value}
          onInput={onText}
          {...(field.unit !== undefined && { suffix: texts.settings.units[field.unit] })}
        />
      );
    case 'day':
    case 'moment':
      return <s-date-field {...shared} value={value} onChange={onText} />;
    case 'group':
      return (
        <s-box padding="base" border="base" borderRadius="base">
          <GroupFields
            {...{ field, path, raw, error, onChange }}
            fields={field.fields}
            heading={label}
            details={details}
            message={message}
          />
        </s-box>
      );
    case 'rows': {
      const rows = raw as RawGroup[];
      return (
        <RowsField {...{ label, details, message, rows, onChange }} newRow={toRawGroup(field.row, {})}>
          {(index) => (
            <GroupFields
              fields={field.row}
              path={`${path}.${index}`}
              raw={rows[index] ?? {}}
              error={error}
              message={error?.path === `${path}.${index}` ? error.message : ''}
              onChange={(next) => onChange(rows.with(index, next as RawGroup))}
            />
          )}
        </RowsField>
      );
    }
    default:
      return <s-text-field {...shared} value={value} onInput={onText} />;
  }
}

type GroupProps = Omit<FieldProps, 'field'> & {
  fields: readonly Field[];
  heading?: string;
  details?: string | undefined;
  message?: string;
};

/** The fields of a group, one below the other. */
export function GroupFields({ fields, heading, details, message, path, raw, error, onChange }: GroupProps) {
  const group = raw as RawGroup;
  return (
    <s-stack gap="base">
      {heading !== undefined && <s-heading>{heading}</s-heading>}
      {details !== undefined && <s-paragraph color="subdued">{details}</s-paragraph>}
      {message ? <s-paragraph tone="critical">{message}</s-paragraph> : null}
      <FieldGrid isWide={heading !== undefined}>
        {fields.map((field) => (
          <SettingField
            key={field.name}
            field={field}
            path={path === '' ? field.name : `${path}.${field.name}`}
            raw={group[field.name] ?? ''}
            error={error}
            onChange={(next) => onChange({ ...group, [field.name]: next })}
          />
        ))}
      </FieldGrid>
    </s-stack>
  );
}

/** Shows the fields of a wide group side by side if there is enough space. */
function FieldGrid({ isWide, children }: { isWide: boolean; children: ComponentChildren }) {
  if (!isWide) return <s-stack gap="base">{children}</s-stack>;
  return (
    <s-query-container>
      <s-grid gridTemplateColumns="@container (inline-size > 500px) 1fr 1fr, 1fr" gap="base">
        {children}
      </s-grid>
    </s-query-container>
  );
}
