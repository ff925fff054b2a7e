import { useState } from 'preact/hooks';
import type { ChangesToUndo } from '../../../orders/leave/count-changes-to-undo.ts';
import { callApi } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { PageState } from '../../parts/page-state.tsx';
import { formatScopes, requestScopes } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { toFieldMessage } from '../../to-field-message.ts';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

type Kind = keyof typeof texts.settings.undo;

/** Lists the changes that Platen would undo, and stops Platen for the shop after a confirmation. */
export function LeaveSection() {
  const loaded = useData<ChangesToUndo>('/api/leave');
  const [hasLeft, setHasLeft] = useState(false);
  const { error, run } = useAction();
  const leave = async (): Promise<void> => {
    if (await run(() => callApi('POST', '/api/leave'))) setHasLeft(true);
  };
  if (hasLeft)
    return (
      <s-banner tone="success" heading={texts.settings.left}>
        {texts.settings.leftText}
      </s-banner>
    );
  return (
    <PageState loaded={loaded} rows={6}>
      {(toUndo) => (
        <s-section heading={texts.settings.undone}>
          <s-stack gap="base">
            <UndoList toUndo={toUndo} />
            {toUndo.missingScopes.length > 0 && (
              <s-banner tone="warning">
                <s-stack gap="small-100">
                  <s-paragraph>{texts.settings.undoScopes(formatScopes(toUndo.missingScopes))}</s-paragraph>
                  <s-stack direction="inline">
                    <s-button onClick={() => void requestScopes(toUndo.missingScopes).then(loaded.reload)}>
                      {texts.permissions.grant}
                    </s-button>
                  </s-stack>
                </s-stack>
              </s-banner>
            )}
            {toUndo.live > 0 && <s-banner tone="warning">{texts.settings.live(toUndo.live)}</s-banner>}
            {error !== null && <s-banner tone="critical">{toFieldMessage(error)}</s-banner>}
            <s-stack direction="inline">
              <ConfirmButton
                id="leave"
                label={texts.settings.leave}
                title={texts.settings.leaveTitle}
                text={texts.settings.leaveText}
                isCritical
                onConfirm={leave}
              />
            </s-stack>
          </s-stack>
        </s-section>
      )}
    </PageState>
  );
}

function UndoList({ toUndo }: { toUndo: ChangesToUndo }) {
  const kinds = (Object.keys(texts.settings.undo) as Kind[]).filter((kind) => toUndo[kind] > 0);
  if (kinds.length === 0) return <s-paragraph>{texts.settings.nothingToUndo}</s-paragraph>;
  return (
    <s-unordered-list>
      {kinds.map((kind) => (
        <s-list-item key={kind}>{describeUndo(kind, toUndo[kind])}</s-list-item>
      ))}
    </s-unordered-list>
  );
}

function describeUndo(kind: Kind, count: number): string {
  const describe: (count: number) => string = texts.settings.undo[kind];
  return describe(count);
}
