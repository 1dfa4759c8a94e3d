// Draws the preview picture of a simulated print: a PNG with a box whose colour depends on the name of the file.
import { crc32, deflateSync } from 'node:zlib';

/** The width and the height in pixels. */
export const PICTURE_SIZE = 200;
/** A pixel has four bytes: red, green, blue and alpha. */
const CHANNELS = 4;
const COLOURS = [
  [224, 122, 61],
  [61, 133, 198],
  [106, 168, 79],
  [166, 77, 121],
] as const;

export function drawPicture(name: string): Buffer {
  const colour = COLOURS[crc32(name) % COLOURS.length] as (typeof COLOURS)[number];
  // Each line starts with its filter: 0 for none.
  const lines = Buffer.alloc(PICTURE_SIZE * (1 + PICTURE_SIZE * CHANNELS));
  for (let y = 0; y < PICTURE_SIZE; y += 1) {
    for (let x = 0; x < PICTURE_SIZE; x += 1) {
      const light = findLight(x - PICTURE_SIZE / 2, y - PICTURE_SIZE / 2);
      if (light === 0) continue;
      const at = y * (1 + PICTURE_SIZE * CHANNELS) + 1 + x * CHANNELS;
      lines.set([...colour.map((part) => Math.round(part * light)), 255], at);
    }
  }
  const header = Buffer.from([0, 0, 0, PICTURE_SIZE, 0, 0, 0, PICTURE_SIZE, 8, 6, 0, 0, 0]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

/** How light a box is at a point, from its centre: its top is lighter than its sides. 0 beside the box. */
function findLight(x: number, y: number): number {
  if (Math.abs(x) / 80 + Math.abs(y + 35) / 40 <= 1) return 1;
  const edge = -35 + 40 * (1 - Math.abs(x) / 80);
  if (Math.abs(x) > 80 || y < edge || y > edge + 70) return 0;
  return x < 0 ? 0.8 : 0.6;
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(name), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
