/**
 * Preview pictures: which bytes count as a picture, and how they are found in metadata of machines and in files of slicers.
 *
 * @jest-environment node
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { drawPicture, PICTURE_SIZE } from '../../src/demo/machines/preview-picture';
import { findThumbnail as findMoonrakerPath } from '../../src/machines/moonraker/thumbnails';
import { findThumbnail as findPrusaLinkPath } from '../../src/machines/prusalink/status';
import { readPlan } from '../../src/slicers/read-plan';
import { choosePicture, MAX_THUMBNAIL_BYTES, readPicture } from '../../src/values/thumbnail';
import { temporaryFolder } from '../support/temporary-folder';
import { zip } from '../support/zip';

const PNG = drawPicture('cube.gcode');

function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(PNG);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

/** A JPEG with a comment of this length before its frame header. @param frame the marker of the frame header */
function jpegOf(width: number, height: number, comment = 20, frame = 0xc0): Buffer {
  const segments = Buffer.alloc(2 + comment + 2 + 17);
  segments.set([0xff, 0xfe]);
  segments.writeUInt16BE(comment, 2);
  const at = 2 + comment;
  segments.set([0xff, frame, 0, 17, 8], at);
  segments.writeUInt16BE(height, at + 5);
  segments.writeUInt16BE(width, at + 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), segments]);
}

describe('the header of a picture', () => {
  test.each([
    ['PNG', PNG, { type: 'image/png', width: PICTURE_SIZE, height: PICTURE_SIZE }],
    ['PNG of the largest size', pngOf(1000, 1), { type: 'image/png', width: 1000, height: 1 }],
    ['baseline JPEG', jpegOf(300, 200), { type: 'image/jpeg', width: 300, height: 200 }],
    ['progressive JPEG', jpegOf(300, 200, 2, 0xc2), { type: 'image/jpeg', width: 300, height: 200 }],
    [
      'JPEG with fill bytes',
      Buffer.concat([jpegOf(1, 1).subarray(0, 2), Buffer.from('ffffff', 'hex'), jpegOf(9, 8).subarray(2)]),
      { type: 'image/jpeg', width: 9, height: 8 },
    ],
  ])('%s is read', (_, bytes, facts) => expect(readPicture(bytes)).toEqual(facts));

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['GIF', Buffer.from('474946383961010001000000', 'hex')],
    ['a signature alone', PNG.subarray(0, 8)],
    ['a PNG that is cut off in its header', PNG.subarray(0, 32)],
    ['a PNG with another first chunk', Buffer.concat([PNG.subarray(0, 8), PNG.subarray(33)])],
    ['a PNG without width', pngOf(0, 10)],
    ['a wide PNG', pngOf(1001, 10)],
    ['a PNG of four billion pixels in height', pngOf(10, 0xffffffff)],
    ['a PNG with too many bytes', Buffer.concat([PNG, Buffer.alloc(MAX_THUMBNAIL_BYTES)])],
    ['a high JPEG', jpegOf(10, 1001)],
    ['a JPEG without a frame', Buffer.concat([jpegOf(9, 9).subarray(0, 24), Buffer.from('ffd9', 'hex')])],
    ['a JPEG whose data starts before its frame', Buffer.from('ffd8ffda0002ffc000110800080009', 'hex')],
    ['a JPEG with a segment beyond its end', jpegOf(9, 9, 20).fill(0xff, 4, 6)],
    [
      'a JPEG with segments without a length',
      Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(60_000, 'ffe00000', 'hex')]),
    ],
    ['a JPEG of fill bytes', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(60_000, 0xff)])],
  ])('%s is refused', (_, bytes) => expect(readPicture(bytes)).toBeNull());

  test('the widest picture up to 400 pixels is chosen, or else the narrowest', () => {
    const choose = (...widths: number[]) => choosePicture(widths.map((width) => ({ width })))?.width;
    expect([choose(32, 400, 300, 640), choose(800, 640), choose()]).toEqual([400, 640, undefined]);
  });
});

describe('Moonraker', () => {
  const listed = (...thumbnails: object[]) => ({ thumbnails });
  const small = { width: 32, height: 32, size: 900, relative_path: '.thumbs/cube-32x32.png' };
  const large = { width: 300, height: 300, size: 9000, relative_path: '.thumbs/cube #1 ä-300x300.png' };

  test('the picture is beside its file, and each part of its path is encoded', () => {
    const path = '/server/files/gcodes/.thumbs/cube%20%231%20%C3%A4-300x300.png';
    expect(findMoonrakerPath('cube #1 ä.gcode', listed(small, large))).toBe(path);
    expect(findMoonrakerPath('a?/b/cube.gcode', listed(small))).toBe(
      '/server/files/gcodes/a%3F/b/.thumbs/cube-32x32.png',
    );
  });

  test.each<[string, unknown]>([
    ['no metadata', null],
    ['no list', { thumbnails: { 0: small } }],
    ['an empty list', listed()],
    ['entries that are not objects', { thumbnails: [null, 7, 'x', [small]] }],
    ['more bytes than the limit', listed({ ...small, size: MAX_THUMBNAIL_BYTES + 1 })],
    ['no size', listed({ ...small, size: undefined })],
    ['too many pixels', listed({ ...small, height: 1001 })],
    ['a negative width', listed({ ...small, width: -1 })],
    ['a width that is not a number', listed({ ...small, width: '32px' })],
    ['a path that leads out of the folder', listed({ ...small, relative_path: '../config/moonraker.conf' })],
    ['a path that leads out of the folder later', listed({ ...small, relative_path: 'a/../../x.png' })],
  ])('%s: no picture', (_, metadata) => expect(findMoonrakerPath('cube.gcode', metadata)).toBeNull());
});

describe('PrusaLink', () => {
  const job = (thumbnail: unknown) => ({
    id: 1,
    file: { refs: { thumbnail }, name: 'CUBE~1.BGC', display_name: 'cube.bgcode', path: '/usb' },
  });

  test('the picture belongs to the path under which the print is recorded', () => {
    const filePath = '/usb/cube.bgcode';
    expect(findPrusaLinkPath(job('/thumb/l/usb/CUBE~1.BGC'))).toEqual({ filePath, path: '/thumb/l/usb/CUBE~1.BGC' });
    expect(findPrusaLinkPath(job('/thumb/l/usb/a b.gcode?n=1'))).toEqual({
      filePath,
      path: '/thumb/l/usb/a%20b.gcode?n=1',
    });
  });

  test.each([
    ['another host', 'http://192.168.1.9/secret'],
    ['another host without a scheme', '//192.168.1.9/secret'],
    ['another scheme', 'file:///etc/passwd'],
    ['nothing', ''],
    ['a number', 7],
    ['a missing member', undefined],
  ])('%s: no picture', (_, thumbnail) => expect(findPrusaLinkPath(job(thumbnail))).toBeNull());
});

describe('files of slicers', () => {
  const folder = temporaryFolder('thumbnails');
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  let written = 0;

  async function pictureIn(content: string | Buffer): Promise<string | null | undefined> {
    const path = join(folder, `${++written}.gcode`);
    fs.writeFileSync(path, content);
    const { plates } = await readPlan(path, { thumbnails: true, layers: true });
    expect(plates[0]?.slots).toEqual([{ slot: 1, mm: '241.03', grams: '0.72' }]);
    return plates[0]?.thumbnail;
  }

  const FIGURES =
    '; generated by PrusaSlicer 2.8.1\nG1 X1\n; filament used [mm] = 241.03\n; filament used [g] = 0.72\n';
  const base64 = PNG.toString('base64');
  const lines = (digits: string) => (digits.match(/.{1,78}/g) ?? []).map((line) => `; ${line}\n`).join('');
  const block = (picture: Buffer, { name = 'thumbnail', size = '200x200', length = 0, end = true } = {}) => {
    const digits = picture.toString('base64');
    return `;\n; ${name} begin ${size} ${length || digits.length}\n${lines(digits)}${end ? `; ${name} end\n;\n` : ''}`;
  };

  describe('G-code', () => {
    const wide = pngOf(640, 480);
    const jpeg = jpegOf(300, 300);
    test.each([
      ['one PNG', block(PNG), base64],
      ['line feeds of Windows', block(PNG).replaceAll('\n', '\r\n'), base64],
      ['a JPEG', block(jpeg, { name: 'thumbnail_JPG', size: '300x300' }), jpeg.toString('base64')],
      ['a wide PNG and a small PNG', block(wide, { size: '640x480' }) + block(PNG), base64],
      ['a wide PNG alone', block(wide, { size: '640x480' }), wide.toString('base64')],
      ['QOI', block(PNG, { name: 'thumbnail_QOI' }), null],
      ['no picture', '', null],
      ['HTML', block(Buffer.from('<html>'.repeat(100))), null],
      ['a block without its end', block(PNG, { end: false }), null],
      ['a block without its end before another', block(jpeg, { end: false }) + block(PNG), base64],
      ['a declared size that is too large', block(PNG, { size: '9000x9000' }), null],
      ['a real size that is too large', block(pngOf(9000, 9000)), null],
      ['a declared length that is too large', block(PNG, { length: 999_999 }), null],
      ['more digits than declared', block(Buffer.concat([PNG, Buffer.alloc(400_000)]), { length: 100 }), null],
    ])('with %s', async (_, image, found) => {
      expect(await pictureIn(`${image}${FIGURES}`)).toBe(found);
    });
  });

  describe('sliced 3MF', () => {
    const gcode = { 'Metadata/plate_1.gcode': FIGURES };
    const part = (data: Buffer) => ({ text: data.toString('latin1'), data: deflateRawSync(data) });
    const large = pngOf(512, 512);
    test.each([
      ['both pictures', { 'Metadata/plate_1.png': part(large), 'Metadata/plate_1_small.png': part(PNG) }, PNG],
      [
        'both in the other order',
        { 'Metadata/plate_1_small.png': part(PNG), 'Metadata/plate_1.png': part(large) },
        PNG,
      ],
      ['the large picture', { 'Metadata/plate_1.png': part(large) }, large],
      ['the picture of another plate', { 'Metadata/plate_2.png': part(PNG) }, null],
      ['HTML', { 'Metadata/plate_1.png': part(Buffer.from('<html>')) }, null],
      ['a zip bomb', { 'Metadata/plate_1.png': { ...part(Buffer.alloc(5_000_000)), size: 100 } }, null],
      ['damaged data', { 'Metadata/plate_1.png': { ...part(PNG), data: Buffer.from('damaged') } }, null],
    ])('with %s', async (_, parts, found) => {
      expect(await pictureIn(zip({ ...gcode, ...parts }))).toBe(found?.toString('base64') ?? null);
    });
  });

  describe('bgcode', () => {
    const blockOf = (type: number, header: number[], data: Buffer, compression = 0) => {
      const head = Buffer.alloc(8);
      head.writeUInt16LE(type, 0);
      head.writeUInt16LE(compression, 2);
      head.writeUInt32LE(data.length, 4);
      const parameters = Buffer.from(new Uint16Array(header).buffer);
      return Buffer.concat([head, parameters, data]);
    };
    const metadata = blockOf(4, [0], Buffer.from('filament used [mm]=241.03\nfilament used [g]=0.72\n'));
    const file = (...blocks: Buffer[]) =>
      Buffer.concat([
        Buffer.from('GCDE'),
        Buffer.from([1, 0, 0, 0, 0, 0]),
        ...blocks,
        metadata,
        blockOf(1, [0], Buffer.from('G28')),
      ]);
    const [png, jpg, qoi] = [0, 1, 2];
    const jpeg = jpegOf(16, 16);
    test.each([
      ['a PNG', [blockOf(5, [png, 200, 200], PNG)], PNG],
      [
        'several pictures',
        [blockOf(5, [jpg, 16, 16], jpeg), blockOf(5, [png, 200, 200], PNG), blockOf(5, [qoi, 300, 300], PNG)],
        PNG,
      ],
      ['HTML', [blockOf(5, [png, 200, 200], Buffer.from('<html>'))], null],
      ['too many bytes', [blockOf(5, [png, 200, 200], Buffer.concat([PNG, Buffer.alloc(70_000)]))], null],
      ['no picture', [], null],
    ])('with %s', async (_, blocks, found) => {
      expect(await pictureIn(file(...blocks))).toBe(found?.toString('base64') ?? null);
    });
  });
});
