import {
  advancedSettings,
  basicSettings,
  settingNames,
  settingsSchema,
  type SettingName,
} from '../../shops/settings/settings-schema.ts';
import type { ShownSettings } from '../../shops/settings/settings.ts';

/** Returns one setting in the form `name=value`, as in `platen shops set`. A secret is shortened to its last characters. */
export function showSetting(settings: ShownSettings, name: SettingName): string {
  return `${name}=${showValue(settings[name])}`;
}

/** Returns all settings with their descriptions, advanced settings last. */
export function describeSettings(): string[] {
  const width = Math.max(...settingNames.map(({ length }) => length));
  const describe = (name: SettingName): string =>
    `  ${name.padEnd(width)}  ${settingsSchema.shape[name].unwrap().description}`;
  return ['Settings:', ...basicSettings.map(describe), '', 'Advanced settings:', ...advancedSettings.map(describe)];
}

function showValue(value: ShownSettings[SettingName]): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'string') ? value.join(',') : JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  if ('last4' in value) return `…${value.last4}`;
  return 'value' in value ? `${value.name}: …${value.value.last4}` : JSON.stringify(value);
}
