import { useState } from 'preact/hooks';
import { texts } from '../../texts/texts.ts';

/** A template's preview image. Its URL expires, so if the image does not load, a text replaces it. */
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
