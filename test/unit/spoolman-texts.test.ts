// The texts that readers and labels contain: UIDs of tags in every spelling, and the labels of Spoolman in all their forms.
import { readSpoolmanLabel } from '../../src/farm/inventory/spoolman-label';
import { normalizeTagUid } from '../../src/values/tag-uid';

test.each([
  ['04:a2:2b:91:c4:5d:80', '04A22B91C45D80'],
  ['04-A2-2B-91', '04A22B91'],
  ['04 a2 2b 91\n', '04A22B91'],
  ['04.a2_2b.91', '04A22B91'],
  ['0x04a22b91', '04A22B91'],
  ['0X:04:A2', '04A2'],
  ['7', '7'],
  ['f'.repeat(64), 'F'.repeat(64)],
])('the UID %j is %s', (text, uid) => expect(normalizeTagUid(text)).toBe(uid));

test.each(['', ' : ', '0x', '04:G2', 'f'.repeat(65), '04/A2', '0x0x04', 'ﬀ', '04,A2'])('%j is not a UID', (text) =>
  expect(normalizeTagUid(text)).toBeNull(),
);

test.each([
  ['WEB+SPOOLMAN:S-12', 'SPOOL'],
  ['web+spoolman:s-12\n', 'SPOOL'],
  ['WEB+SPOOLMAN:F-12', 'FILAMENT'],
  ['http://spoolman.example:7912/spool/show/12', 'SPOOL'],
  ['HTTPS://FARM.EXAMPLE/BASE/SPOOL/SHOW/12/', 'SPOOL'],
  ['http://10.0.0.1:7912/filament/show/12', 'FILAMENT'],
  ['/spool/show/12', 'SPOOL'],
  ['http://farm.example/?sel=spool:12', 'SPOOL'],
  ['http://farm.example?x=1&sel=FILAMENT:12', 'FILAMENT'],
  ['http://farm.example/base/?sel=spool%3A12', 'SPOOL'],
  // What a scanner writes through a German, a French and a Russian keyboard.
  ['WEB`SPOOLMANÖSß12', 'SPOOL'],
  ['httpÖ--pi.localÖ7912-spool-show-12', 'SPOOL'],
  ['httpÖ--pi.localÖ7912-filament-show-12', 'FILAMENT'],
  ['httpÖ--pi.local-_sel´spoolÖ12', 'SPOOL'],
  ['httpM!!&à:à:à:&!spool!shoz!&é', 'SPOOL'],
  ['httpM!!&à:à:à:&!filq,ent!shoz!&é', 'FILAMENT'],
  ['реезЖ..зш.ызщщд.ырщц.12', 'SPOOL'],
])('%j is the label of object 12', (text, kind) => expect(readSpoolmanLabel(text)).toEqual({ kind, id: 12 }));

test.each([
  'WEB+SPOOLMAN:X-12',
  'WEB+SPOOLMAN:S-0',
  'WEB+SPOOLMAN:S-2147483648',
  'SPOOLMAN:S-12',
  'http://farm.example/spool/show/12/edit',
  'http://farm.example/myspool/show/12',
  'http://farm.example/?sel=vendor:12',
  'http://farm.example/n/12',
  '#12',
  '12',
  'PLA Blue',
])('%j is no label of Spoolman', (text) => expect(readSpoolmanLabel(text)).toBeNull());
