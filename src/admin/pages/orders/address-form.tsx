import { useState } from 'preact/hooks';
import type { AddressForm } from '../../../orders/manual-actions/changes/address-form.ts';
import type { ShownAddress } from '../../../orders/manual-actions/changes/correct-address.ts';
import { callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { toNumericId } from '../../format.ts';
import { PageState } from '../../parts/page-state.tsx';
import { SaveForm } from '../../parts/save-form.tsx';
import { withPermission } from '../../scopes.ts';
import { texts } from '../../texts/texts.ts';
import { useAction } from '../../use-action.ts';
import { useData } from '../../use-data.ts';

const FIELDS = [
  'firstName',
  'lastName',
  'companyName',
  'phone',
  'addressLine1',
  'addressLine2',
  'postCode',
  'city',
  'state',
  'country',
  'email',
] as const satisfies (keyof AddressForm)[];
const BRAZILIAN_FIELDS = ['federalTaxId', 'stateTaxId'] as const satisfies (keyof AddressForm)[];

/** The props of the forms on an order's page. */
export interface ChangeProps {
  order: { orderId: string; name: string };
  /** Called with the sentences that describe what was done. */
  onDone: (lines: string[]) => Promise<void>;
  onDismiss: () => void;
}

/** A form that corrects an order's address. It starts with the store's current address. */
export function AddressSection({ order, onDone, onDismiss }: ChangeProps) {
  const path = `/api/orders/${toNumericId(order.orderId)}/address`;
  const loaded = useData<ShownAddress>(path);
  return (
    <s-section heading={texts.order.change.address}>
      <PageState loaded={loaded} rows={6}>
        {(shown) => <Fields path={path} name={order.name} shown={shown} onDone={onDone} onDismiss={onDismiss} />}
      </PageState>
    </s-section>
  );
}

interface FieldsProps extends Omit<ChangeProps, 'order'> {
  path: string;
  name: string;
  shown: ShownAddress;
}

function Fields({ path, name, shown: { address, fault, sent }, onDone, onDismiss }: FieldsProps) {
  const [draft, setDraft] = useState(address);
  const [isFaultShown, setFaultShown] = useState(true);
  const { error, isRunning, run } = useAction();
  const fields = draft.country.trim().toUpperCase() === 'BR' ? [...FIELDS, ...BRAZILIAN_FIELDS] : FIELDS;
  const errorOf = (field: keyof AddressForm): string => {
    if (error !== null) return error.field === field ? toFieldMessage(error) : '';
    return isFaultShown && fault?.field === field ? fault.message : '';
  };
  const detailsOf = (field: keyof AddressForm): string =>
    field === 'country'
      ? texts.order.change.countryCode
      : (BRAZILIAN_FIELDS as readonly string[]).includes(field)
        ? texts.order.change.taxText
        : '';
  const save = (): void =>
    void run(async () => {
      setFaultShown(false);
      const { done } = await withPermission(() => callApi<{ done: string[] }>('PUT', path, draft));
      await onDone(done);
    });
  return (
    <SaveForm
      isUnsaved={!isRunning && fields.some((field) => draft[field] !== address[field])}
      onSave={save}
      onDiscard={onDismiss}
    >
      <s-stack gap="base">
        <s-paragraph>{texts.order.change.addressText(name)}</s-paragraph>
        {sent.length > 0 && <s-banner tone="info">{texts.order.change.sent(sent.join(', '))}</s-banner>}
        {error !== null && !fields.some((field) => errorOf(field) !== '') && (
          <s-banner tone="critical">{toFieldMessage(error)}</s-banner>
        )}
        <s-query-container>
          <s-grid gridTemplateColumns="@container (inline-size > 500px) 1fr 1fr, 1fr" gap="base">
            {fields.map((field) => (
              <s-text-field
                key={field}
                label={texts.order.fields[field] ?? field}
                value={draft[field]}
                details={detailsOf(field)}
                error={errorOf(field)}
                onInput={({ currentTarget: { value } }) => setDraft({ ...draft, [field]: value })}
              />
            ))}
          </s-grid>
        </s-query-container>
        <s-stack direction="inline" gap="small-100">
          <s-button variant="primary" type="submit" loading={isRunning}>
            {texts.order.change.save}
          </s-button>
          <s-button type="reset">{texts.order.change.dismiss}</s-button>
        </s-stack>
      </s-stack>
    </SaveForm>
  );
}
