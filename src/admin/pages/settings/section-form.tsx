import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { ApiError, callApi } from '../../api.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { markUnsaved } from '../../mark-unsaved.ts';
import { withPermission } from '../../scopes.ts';
import { texts } from '../../texts/texts.ts';
import { findChanges, findErrorPath, toRawGroup, type RawGroup } from './field-value.ts';
import type { SettingField } from './sections.ts';
import { GroupFields, type FieldError } from './setting-field.tsx';

interface SectionFormProps {
  fields: readonly SettingField[];
  /** Set if other cards are above the form. */
  heading?: string;
  settings: ShownSettings;
  onSaved: (settings: ShownSettings) => void;
  /** Renders content below the fields from the unsaved changes. */
  children?: (changes: Record<string, unknown>) => ComponentChildren;
}

/** The settings of a section. The store's admin shows a save bar while there are unsaved changes. */
export function SectionForm({ fields, heading, settings, onSaved, children }: SectionFormProps) {
  const saved = toRawGroup(fields, settings);
  const [draft, setDraft] = useState(saved);
  const [error, setError] = useState<FieldError | null>(null);
  const [isSaved, setSaved] = useState(false);
  // A discarded form gets new inputs, because the browser's reset empties the old ones.
  const [version, setVersion] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const isConfirmed = useRef(false);
  const confirm = useRef<HTMLElementTagNameMap['s-modal']>(null);
  const [base, setBase] = useState(settings);
  if (base !== settings) {
    // Another card has saved its settings. Unedited fields take on the new values, so that saving this form does not revert them.
    const before = toRawGroup(fields, base);
    const isEdited = (name: string): boolean => JSON.stringify(draft[name]) !== JSON.stringify(before[name]);
    setDraft(Object.fromEntries(fields.map(({ name }) => [name, (isEdited(name) ? draft[name] : saved[name]) ?? ''])));
    setBase(settings);
  }
  const changes = findChanges(fields, saved, draft);
  useEffect(() => {
    // Shows the save bar again, because saving another card has hidden it.
    if (Object.keys(changes).length > 0) markUnsaved(form.current);
  }, [settings]);
  const change = (next: RawGroup): void => {
    setDraft(next);
    setSaved(false);
    // A row may have moved, so an error for this setting could appear at the wrong row.
    const [name = ''] = error?.path.split('.') ?? [];
    if (draft[name] !== next[name]) setError(null);
    // Adding or removing a row does not dispatch an input event.
    markUnsaved(form.current);
  };
  const save = async (): Promise<void> => {
    if (Object.keys(changes).length === 0) return;
    try {
      const next = await withPermission(() => callApi<ShownSettings>('PUT', '/api/settings', changes));
      setError(null);
      setSaved(true);
      // Keeps input that was typed while the request was running.
      setDraft((now) => (now === draft ? toRawGroup(fields, next) : now));
      onSaved(next);
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      const path = failed.field === null ? null : findErrorPath(fields, draft, failed.field);
      setError({ path: path ?? '', message: toFieldMessage(failed) });
      markUnsaved(form.current);
    }
  };
  return (
    <>
      <form
        data-save-bar
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed.current || !printsEarlierOrders(changes, settings)) {
            isConfirmed.current = false;
            return void save();
          }
          // The save bar hides after this event, but must stay until the merchant has confirmed.
          setTimeout(() => markUnsaved(form.current));
          confirm.current?.showOverlay();
        }}
        onReset={() => {
          setDraft(saved);
          setError(null);
          setVersion(version + 1);
        }}
      >
        <s-stack gap="base">
          {error?.path === '' && <s-banner tone="critical">{error.message}</s-banner>}
          {isSaved && <s-banner tone="success">{texts.settings.saved}</s-banner>}
          <s-section key={version} {...(heading !== undefined && { heading })}>
            <GroupFields
              fields={fields}
              path=""
              raw={draft}
              error={error}
              onChange={(next) => change(next as RawGroup)}
            />
          </s-section>
        </s-stack>
        <s-modal id="confirm-earlier" heading={texts.settings.earlierTitle} size="small" ref={confirm}>
          <s-paragraph>{texts.settings.earlierText}</s-paragraph>
          <s-button slot="secondary-actions" commandFor="confirm-earlier" command="--hide">
            {texts.app.close}
          </s-button>
          <s-button
            slot="primary-action"
            variant="primary"
            onClick={() => {
              confirm.current?.hideOverlay();
              isConfirmed.current = true;
              form.current?.requestSubmit();
            }}
          >
            {texts.settings.saveEarlier}
          </s-button>
        </s-modal>
      </form>
      {children?.(changes)}
    </>
  );
}

/** Whether saving prints earlier orders right away, which the merchant must confirm. */
function printsEarlierOrders(
  { takesOrdersFrom }: Record<string, unknown>,
  { takesOrdersFrom: saved }: ShownSettings,
): boolean {
  return typeof takesOrdersFrom === 'string' && Date.parse(takesOrdersFrom) < Date.parse(saved);
}
