import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Boot } from '../http/pages/admin/boot.ts';
import { ActivityPage } from './pages/activity/activity-page.tsx';
import { HomePage } from './pages/home/home-page.tsx';
import { ImportPage } from './pages/import/import-page.tsx';
import { LocationPage } from './pages/location/location-page.tsx';
import { OrderPage } from './pages/orders/order-page.tsx';
import { OrdersPage } from './pages/orders/orders-page.tsx';
import { SettingsPage, SettingsSectionPage } from './pages/settings/settings-page.tsx';
import { TemplatePage } from './pages/templates/template-page.tsx';
import { TemplatesPage } from './pages/templates/templates-page.tsx';
import { LinkPage } from './pages/products/link-page.tsx';
import { ProductsPage } from './pages/products/products-page.tsx';
import { LeavePageDialog } from './parts/leave-page-dialog.tsx';
import { route } from './router.ts';
import { SECTION_NAMES } from './pages/settings/sections.ts';
import { texts } from './texts/texts.ts';
import { setTitle } from './use-title.ts';

const PAGES: [path: RegExp, page: (boot: Boot, id: string) => ComponentChildren][] = [
  [/^\/$/, (boot) => <HomePage boot={boot} />],
  [/^\/orders$/, (boot) => <OrdersPage boot={boot} />],
  [/^\/orders\/(\d+)$/, (boot, id) => <OrderPage key={id} id={id} boot={boot} />],
  [/^\/settings$/, () => <SettingsPage />],
  [/^\/settings\/([a-z]{1,20})$/, (_, name) => <SettingsSection name={name} />],
  [/^\/products\/import$/, () => <ImportPage />],
  [/^\/products\/templates$/, (boot) => <TemplatesPage boot={boot} />],
  [/^\/products\/templates\/([\w.~-]+)$/, (boot, id) => <TemplatePage key={id} id={id} boot={boot} />],
  [/^\/products\/location$/, () => <LocationPage />],
  [/^\/activity$/, () => <ActivityPage />],
  [/^\/products$/, () => <ProductsPage />],
  [/^\/products\/link$/, () => <LinkPage />],
];

/** Shows the page for the current address. The server routes the same addresses. */
export function App({ boot }: { boot: Boot }) {
  const { path } = route.value;
  usePageChange(path);
  for (const [pattern, show] of PAGES) {
    const match = pattern.exec(path);
    if (match)
      return (
        <>
          <Navigation />
          {show(boot, match[1] ?? '')}
          <LeavePageDialog />
        </>
      );
  }
  return (
    <>
      <Navigation />
      <NotFoundPage />
    </>
  );
}

function SettingsSection({ name }: { name: string }) {
  const section = SECTION_NAMES.find((one) => one === name);
  return section === undefined ? <NotFoundPage /> : <SettingsSectionPage key={section} section={section} />;
}

function NotFoundPage() {
  return (
    <s-page heading={texts.app.notFound}>
      <s-section>
        <s-link href="/">{texts.app.backHome}</s-link>
      </s-section>
    </s-page>
  );
}

/** The app's entries in the admin's own navigation, where the app's name links to its home page. */
function Navigation() {
  return (
    <s-app-nav>
      <s-link href="/orders">{texts.app.orders}</s-link>
      <s-link href="/products">{texts.app.products}</s-link>
      <s-link href="/activity">{texts.app.activity}</s-link>
      <s-link href="/settings">{texts.app.settings}</s-link>
    </s-app-nav>
  );
}

/** After a navigation, sets the document's title, and moves the focus to the start of the new page for keyboard and screen reader users. */
function usePageChange(path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    setTitle(document.querySelector('s-page')?.getAttribute('heading') ?? '');
    if (shown.current === path) return;
    shown.current = path;
    document.getElementById('app')?.focus({ preventScroll: true });
  }, [path]);
}
