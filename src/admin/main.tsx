import { hydrate } from 'preact';
import './admin.css';
import type { Boot } from '../http/pages/admin/boot.ts';
import { App } from './app.tsx';
import { setTimeZone } from './format.ts';
import { handleNavigation } from './router.ts';
import { chooseLanguage } from './texts/texts.ts';

const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Boot;
chooseLanguage(boot.locale);
setTimeZone(boot.shop.timeZone);
handleNavigation();
const root = document.getElementById('app');
if (root) hydrate(<App boot={boot} />, root);
