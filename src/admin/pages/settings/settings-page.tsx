import { useEffect, useState } from 'preact/hooks';
import type { ShownSettings } from '../../../shops/settings/settings.ts';
import { callApi, onUncertainRequest } from '../../api.ts';
import { PageState } from '../../parts/page-state.tsx';
import { AlertCards, NoMailNotice } from './alert-cards.tsx';
import { ConnectionCards } from './connection-cards.tsx';
import { LeaveSection } from './leave-section.tsx';
import { SECTION_NAMES, SECTIONS, type Section } from './sections.ts';
import { SectionForm } from './section-form.tsx';
import { SamplePreview } from './sample-preview.tsx';
import { texts } from '../../texts/texts.ts';
import { useData } from '../../use-data.ts';

/** The list of settings sections, each with a sentence about it. */
export function SettingsPage() {
  return (
    <s-page heading={texts.app.settings}>
      {SECTION_NAMES.map((section) => (
        <s-section key={section} heading={texts.settings.sections[section].title}>
          <s-stack gap="small-100">
            <s-paragraph>{texts.settings.sections[section].text}</s-paragraph>
            <s-stack direction="inline">
              <s-button
                href={`/settings/${section}`}
                accessibilityLabel={texts.settings.open(texts.settings.sections[section].title)}
              >
                {texts.settings.change}
              </s-button>
            </s-stack>
          </s-stack>
        </s-section>
      ))}
    </s-page>
  );
}

/** The settings of one section. */
export function SettingsSectionPage({ section }: { section: Section }) {
  const loaded = useData<ShownSettings>('/api/settings');
  return (
    <s-page heading={texts.settings.sections[section].title}>
      <s-link slot="breadcrumb-actions" href="/settings">
        {texts.app.settings}
      </s-link>
      <s-paragraph>{texts.settings.sections[section].text}</s-paragraph>
      {section === 'leaving' ? (
        <LeaveSection />
      ) : (
        <PageState loaded={loaded} rows={10}>
          {(data) => <Content section={section} loaded={data} />}
        </PageState>
      )}
    </s-page>
  );
}

/**
 * Shows the settings as first loaded. Ignores later reloads, except after a save request that may have taken effect although no response
 * arrived. Fields that are being edited keep their values.
 */
function Content({ section, loaded }: { section: Exclude<Section, 'leaving'>; loaded: ShownSettings }) {
  const [settings, onSaved] = useState(loaded);
  useEffect(() => {
    const read = (): Promise<void> => callApi<ShownSettings>('GET', '/api/settings').then(onSaved, () => undefined);
    return onUncertainRequest(() => void read());
  }, []);
  return (
    <>
      {section === 'connection' && <ConnectionCards settings={settings} onSaved={onSaved} />}
      {section === 'alerts' && <NoMailNotice />}
      <SectionForm
        fields={SECTIONS[section]}
        settings={settings}
        onSaved={onSaved}
        {...(section === 'connection' && { heading: texts.settings.printOrders })}
        {...(section === 'alerts' && { heading: texts.settings.recipients })}
      >
        {(changes) => (
          <>
            {(section === 'shipping' || section === 'rates') && (
              <SamplePreview kind={section} settings={settings} changes={changes} />
            )}
            {section === 'alerts' && <AlertCards settings={settings} onSaved={onSaved} />}
          </>
        )}
      </SectionForm>
    </>
  );
}
