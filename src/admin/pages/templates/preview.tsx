import { useState } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';

/** A template's preview. Its address expires, so an image that does not load is replaced by a text. */
export function Preview({ url, title, isSmall = false }: { url: string | null; title: string; isSmall?: boolean }) {
  const [failed, setFailed] = useState<string | null>(null);
  if (url === null || failed === url) return <s-text color="subdued">{texts.templates.noPreview}</s-text>;
  const alt = texts.templates.previewOf(title);
  const onError = (): void => setFailed(url);
  if (isSmall) return <s-thumbnail src={url} alt={alt} onError={onError} />;
  return (
    <div class="preview">
      <s-image src={url} alt={alt} objectFit="contain" onError={onError} />
    </div>
  );
}
