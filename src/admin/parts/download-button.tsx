import { download } from '../api.ts';
import { toFieldMessage } from '../to-field-message.ts';
import { useAction } from '../use-action.ts';

/** A button that downloads a file from the API. Shows the error if the download fails. */
export function DownloadButton({
  path,
  name,
  label,
  isDisabled = false,
}: {
  path: string;
  name: string;
  label: string;
  isDisabled?: boolean;
}) {
  const { error, isRunning, run } = useAction();
  return (
    <s-stack gap="small-300">
      <s-button disabled={isDisabled || isRunning} onClick={() => void run(() => download(path, name))}>
        {label}
      </s-button>
      {error !== null && <s-text tone="critical">{toFieldMessage(error)}</s-text>}
    </s-stack>
  );
}
