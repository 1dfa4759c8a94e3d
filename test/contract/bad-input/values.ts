// Values that neither interface may accept, as raw JSON texts by the kind of member, so that no float and no escape is lost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLInputField, type GraphQLInputObjectType, getNamedType } from 'graphql';

export const schema = buildSchema(readFileSync(join(__dirname, '../../../src/generated/schema.graphql'), 'utf8'));
/** The members of an input. */
export const fieldsOf = (input: string) => Object.values((schema.getType(input) as GraphQLInputObjectType).getFields());

const asJson = (...texts: string[]) => texts.map((text) => JSON.stringify(text));
const longText = (length: number) => `"${'x'.repeat(length)}"`;

const NO_TEXTS = ['7', 'true', '["x"]', '{"a":1}'];
/** Texts that PostgreSQL cannot store or UTF-8 cannot encode. */
const BROKEN_TEXTS = ['"a\\u0000b"', '"a\\ud800b"', '"\\udc00"'];
const textUpTo = (limit: number) => [...NO_TEXTS, ...BROKEN_TEXTS, longText(limit + 1), longText(1_000_000)];

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const URN = `urn:uuid:${GUID}`;
export const NO_GUIDS = ['', 'abc', `{${GUID}}`, GUID.replaceAll('-', ''), URN, `${GUID} `, GUID.slice(0, -1)];
const NO_DECIMALS = [
  ...asJson('abc', '', ' ', '1,5', '0x10', 'NaN', 'Infinity', '-0.5', '1e400'),
  'true',
  '[1]',
  '{"a":1}',
  '-1',
  '1e400',
  '1e-400',
  // 19 digits before the point, and 29 behind it.
  ...asJson('1234567890123456789', '0.12345678901234567890123456789'),
];
const NO_INSTANTS = [
  '1763627400',
  'true',
  '["2026-11-20T08:30:00Z"]',
  '"2026-11-20T08:30:00Z\\u0000"',
  ...asJson('', 'yesterday', '2026-11-20', '2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '2026-13-01T00:00:00Z'),
  ...asJson('2026-11-20T25:00:00Z', '2026-11-20T08:60:00Z', '2026-11-20T08:30:00', '2026-11-20 08:30:00'),
  ...asJson('2026-11-20T08:30:00 Europe/Paris', '2026-11-20T08:30:00Z[Mars/Olympus]', '2026-11-20T08:30:00+25:00'),
  ...asJson('+012026-11-20T08:30:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00'),
];
const NO_FLOATS = ['"7"', 'true', '1e400', '[7]'];
/** Addresses that no device may have. */
const NO_ADDRESSES = [
  ...asJson(' ', '192.168.1.20/api', 'http://user:password@192.168.1.20', 'ftp://192.168.1.20', '192.168.1.20:0'),
  // A public address, the same as one number, and where clouds serve credentials.
  ...asJson('192.168.1.20:65536', '203.0.113.7', '3405803783', '169.254.169.254'),
];
export const NO_SLOTS = [
  ...asJson('tool', 'tool:a', 'tool:1000', 'ams:0:1:2', 'TOOL:0', 'tool:0\n', 'tool:-1', `${'a'.repeat(21)}:0`),
];

export const BAD = {
  key: textUpTo(255),
  guid: [...NO_TEXTS, ...BROKEN_TEXTS, ...asJson(...NO_GUIDS)],
  text: textUpTo(1000),
  path: textUpTo(4096),
  notes: textUpTo(10_000),
  comment: textUpTo(1024),
  line: [...textUpTo(255), ...asJson('a\r\nb', 'a\tb')],
  address: [...textUpTo(255), ...NO_ADDRESSES],
  color: [...NO_TEXTS, ...asJson('red', '12345', 'gggggg', '#1234567')],
  /** The last one is valid, except for an address without TLS. */
  fingerprint: [
    ...NO_TEXTS,
    ...BROKEN_TEXTS,
    ...asJson('a'.repeat(63), 'a'.repeat(66), 'g'.repeat(64), `a:a${'a'.repeat(62)}`, 'a'.repeat(64)),
  ],
  /** Of other kinds of machines. */
  notHere: [...NO_TEXTS, ...BROKEN_TEXTS, '"01S00C123400001"'],
  decimal: NO_DECIMALS,
  positiveDecimal: [...NO_DECIMALS, '0', '"0.00"'],
  instant: NO_INSTANTS,
  boolean: ['"true"', '1', '[true]', '{}'],
  float: NO_FLOATS,
  percentage: [...NO_FLOATS, '-0.1', '100.1'],
  notNegative: [...NO_FLOATS, '-0.1'],
  seconds: [...NO_FLOATS, '-1', '1.5', '2147483648'],
  interval: [...NO_FLOATS, '0', '1.5', '86401'],
  choice: [...textUpTo(255), '""', '"Fax"'],
};

type Kind = keyof typeof BAD;

const BY_TYPE: Record<string, Kind> = {
  ID: 'guid',
  String: 'key',
  Decimal: 'decimal',
  Boolean: 'boolean',
  DateTime: 'instant',
  Float: 'float',
  DataSource: 'choice',
  DeviceKind: 'choice',
  PrintJobStatus: 'choice',
};
/** Members whose names say more than their types. */
const BY_NAME: Record<string, Kind> = {
  id: 'key',
  cameraId: 'key',
  friendlyName: 'text',
  printName: 'text',
  gcodeFilePath: 'path',
  notes: 'notes',
  comment: 'comment',
  densityGPerCm3: 'positiveDecimal',
  filamentDiameterMm: 'positiveDecimal',
  address: 'address',
  colorHex: 'color',
  serial: 'notHere',
  username: 'line',
  secret: 'line',
  certificateFingerprint: 'fingerprint',
  batteryPct: 'percentage',
  fps: 'notNegative',
  videoRemainingSec: 'seconds',
  expectedIntervalSec: 'interval',
};
const NEVER_EMPTY = ['id', 'cameraId', 'name', 'spoolSerial', 'friendlyName', 'address'];

/** The values that a member refuses, without null. */
export function badFor({ name, type }: GraphQLInputField): string[] {
  const kind = BY_NAME[name] ?? BY_TYPE[getNamedType(type).name];
  if (kind === undefined) throw new Error(`Nobody has said what ${name} refuses`);
  return NEVER_EMPTY.includes(name) ? [...BAD[kind], '""'] : BAD[kind];
}

/** The JSON text of an object with one member replaced by raw JSON. */
export function withRaw(valid: object, member: string, json: string): string {
  return JSON.stringify({ ...valid, [member]: '@raw@' }).replace('"@raw@"', () => json);
}
