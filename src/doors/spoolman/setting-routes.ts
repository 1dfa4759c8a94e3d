// The paths that describe the gateway and its settings, and the lists of texts.
import { NotFound } from '../../errors';
import type { ExtraFieldOwner } from '../../farm/inventory/extra-field.store';
import type { SpoolmanApi } from './api';
import { writeFields } from './field-routes';
import { writeObject } from './json-object';
import type { TextList } from './list.store';
import { defineRoutes } from './route';
import { GATEWAY_VERSION } from './version';

/** The version of Spoolman whose API this is. Clients read these three integers, and expect tags from 0.27 on. */
const VERSION = '0.27.0';

type Type = 'string' | 'boolean' | 'array';

const writeSetting = (value: string, isSet: boolean, type: Type): string =>
  writeObject({ value: JSON.stringify(value), is_set: String(isSet), type: JSON.stringify(type) });

const readFields = async ({ parts }: SpoolmanApi, owner: ExtraFieldOwner) => {
  const fields = await parts.fields.list(owner);
  return writeSetting(writeFields(fields), fields.length > 0, 'array');
};

const SETTINGS: Record<string, (api: SpoolmanApi) => Promise<string>> = {
  currency: async ({ settings: { currency } }) =>
    writeSetting(JSON.stringify(currency ?? 'XXX'), currency !== null, 'string'),
  round_prices: async () => writeSetting('false', false, 'boolean'),
  base_url: async ({ settings: { publicUrl } }) =>
    writeSetting(JSON.stringify(publicUrl ?? ''), publicUrl !== null, 'string'),
  locations: async ({ parts }) => {
    const places = await parts.lists.texts('location');
    return writeSetting(JSON.stringify(places), places.length > 0, 'array');
  },
  extra_fields_vendor: (api) => readFields(api, 'vendor'),
  extra_fields_filament: (api) => readFields(api, 'filament'),
  extra_fields_spool: (api) => readFields(api, 'spool'),
};

async function readSetting(api: SpoolmanApi, key: string): Promise<string> {
  const read = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
  if (read === undefined) throw new NotFound('setting', [key]);
  return read(api);
}

const answerInfo = async (api: SpoolmanApi) => ({
  status: 200,
  json: JSON.stringify({
    version: VERSION,
    debug_mode: false,
    automatic_backups: false,
    data_dir: '',
    logs_dir: '',
    backups_dir: '',
    db_type: 'postgres',
    external_db_name: '',
    git_commit: GATEWAY_VERSION,
    farm: await api.parts.store.farmName(),
  }),
});

const answerTexts = (name: TextList) => async (api: SpoolmanApi) => ({
  status: 200,
  json: JSON.stringify(await api.parts.lists.texts(name)),
});

const answerNothing = async () => ({ status: 200, json: '[]' });

export const SETTING_ROUTES = defineRoutes({
  'GET /': answerInfo,
  'GET /info': answerInfo,
  'GET /health': async () => ({ status: 200, json: '{"status":"healthy"}' }),
  'GET /material': answerTexts('material'),
  'GET /location': answerTexts('location'),
  'GET /lot-number': answerTexts('lot-number'),
  'GET /article-number': answerTexts('article-number'),
  'GET /setting': async (api) => {
    const read = Object.keys(SETTINGS).map(async (key) => [key, await readSetting(api, key)] as const);
    return { status: 200, json: writeObject(Object.fromEntries(await Promise.all(read))) };
  },
  'GET /setting/{key}': async (api, { params: [key = ''] }) => ({ status: 200, json: await readSetting(api, key) }),
  'GET /external/filament': answerNothing,
  'GET /external/material': answerNothing,
});
