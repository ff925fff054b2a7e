import { useRef, useState } from 'preact/hooks';
import type { ImportedLinks } from '../../../products/links/import-links.ts';
import { ApiError, callApi, download } from '../../api.ts';
import { toMessage } from '../../to-field-message.ts';
import { PrintAllWaitingOrders } from '../../parts/print-all-waiting-orders.tsx';
import { texts } from '../../texts/texts.ts';
import { useUnsavedInput } from '../../unsaved-input.ts';
import { FormatHelp } from './format-help.tsx';
import { RowList } from './row-list.tsx';

const PATH = '/api/print-links/import';

/** The file that is being imported. A dry run checks it before it is saved. */
interface Import {
  file: File;
  dryRun: ImportedLinks | null;
  saved: ImportedLinks | null;
}

/** Imports print links from a file. Nothing is saved before the dry run has been shown. */
export function ImportPage() {
  const [current, setCurrent] = useState<Import | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  useUnsavedInput(current?.saved === null && isImportable(current.dryRun));
  // The most recently chosen file. Results of earlier files are ignored.
  const latest = useRef<File | null>(null);
  const run = async (file: File, act: () => Promise<Import>): Promise<void> => {
    setRunning(true);
    setError(null);
    try {
      const next = await act();
      if (latest.current === file) setCurrent(next);
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      if (latest.current === file) setError(toMessage(failed));
    } finally {
      if (latest.current === file) setRunning(false);
    }
  };
  const tryFile = (file: File): Promise<void> => {
    latest.current = file;
    setCurrent({ file, dryRun: null, saved: null });
    return run(file, () => checkFile(file));
  };
  const save = ({ file, dryRun }: Import): Promise<void> =>
    run(file, async () => {
      try {
        return { file, dryRun, saved: await callApi<ImportedLinks>('POST', PATH, file) };
      } catch (failed) {
        // The store has changed since the dry run. A second dry run shows the errors.
        if (failed instanceof ApiError && failed.code === 'invalid_file') return checkFile(file);
        throw failed;
      }
    });
  const exportAll = (): void =>
    void download('/api/print-links/export', 'print-links.csv').catch((failed: unknown) =>
      setError(failed instanceof ApiError ? toMessage(failed) : texts.app.failedText),
    );
  return (
    <s-page heading={texts.productPages.import}>
      <s-link slot="breadcrumb-actions" href="/products">
        {texts.productPages.products}
      </s-link>
      <s-button slot="secondary-actions" onClick={exportAll}>
        {texts.importPage.export}
      </s-button>
      {current?.saved && (
        <s-banner tone="success">
          {texts.importPage.saved(current.saved.created, current.saved.changed, current.saved.unchanged)}
        </s-banner>
      )}
      {current?.saved && <PrintAllWaitingOrders />}
      <s-section heading={texts.importPage.file}>
        <s-drop-zone
          label={texts.importPage.drop}
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values,application/vnd.ms-excel"
          disabled={isRunning}
          error={error ?? ''}
          onChange={(event) => {
            const [file] = event.currentTarget.files;
            if (file) void tryFile(file);
            // A corrected file usually has the same name. Choosing it triggers a change event only if the field is empty.
            event.currentTarget.value = '';
          }}
          onDropRejected={() => setError(texts.importPage.rejected)}
        />
        {isRunning && current && (
          <s-stack direction="inline" gap="small-100" alignItems="center">
            <s-spinner accessibilityLabel={texts.importPage.checking(current.file.name)} />
            <s-text>{texts.importPage.checking(current.file.name)}</s-text>
          </s-stack>
        )}
      </s-section>
      {current?.dryRun && current.saved === null && (
        <DryRun
          key={current.file}
          name={current.file.name}
          result={current.dryRun}
          isRunning={isRunning}
          onSave={() => void save(current)}
        />
      )}
      <FormatHelp />
    </s-page>
  );
}

/** Whether the file has no errors and would change something. */
function isImportable(dryRun: ImportedLinks | null): boolean {
  return dryRun !== null && dryRun.errors.length === 0 && dryRun.created + dryRun.changed > 0;
}

async function checkFile(file: File): Promise<Import> {
  return {
    file,
    dryRun: await callApi<ImportedLinks>('POST', `${PATH}?dryRun=true`, file, { isReadOnlyRequest: true }),
    saved: null,
  };
}

function DryRun({
  name,
  result,
  isRunning,
  onSave,
}: {
  name: string;
  result: ImportedLinks;
  isRunning: boolean;
  onSave: () => void;
}) {
  const { errors, created, changed, rows, ignoredColumns, notChecked } = result;
  const isNew = created + changed > 0;
  return (
    <s-section heading={texts.importPage.plan} padding="none">
      <s-box padding="base">
        <s-stack gap="small-100">
          <s-paragraph>
            {name}: {texts.importPage.summary(rows)}
          </s-paragraph>
          {errors.length > 0 && <s-banner tone="critical">{texts.importPage.fixFirst}</s-banner>}
          {errors.length === 0 && !isNew && <s-banner tone="info">{texts.importPage.nothingNew}</s-banner>}
          {ignoredColumns.length > 0 && (
            <s-banner tone="warning">{texts.importPage.ignored(ignoredColumns.join(', '))}</s-banner>
          )}
          {notChecked.map((message) => (
            <s-banner key={message} tone="warning">
              {message}
            </s-banner>
          ))}
          {errors.length === 0 && isNew && (
            <s-stack direction="inline">
              <s-button variant="primary" loading={isRunning} onClick={onSave}>
                {texts.importPage.save(created + changed)}
              </s-button>
            </s-stack>
          )}
        </s-stack>
      </s-box>
      <RowList errors={errors} planned={result.planned ?? []} />
    </s-section>
  );
}
