// Writes zip files for tests, valid and invalid ones.
import { crc32, deflateRawSync } from 'node:zlib';

interface Part {
  text: string;
  /** Replaces the deflated text. */
  data?: Buffer;
  /** The size that its entry declares. */
  size?: number;
}

/** A zip as slicers write it: deflated files and their directory. */
export function zip(parts: Record<string, string | Part>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, part] of Object.entries(parts)) {
    const { text, size, data = deflateRawSync(text) }: Part = typeof part === 'string' ? { text: part } : part;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(text), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(size ?? text.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), data]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), fields, entry, Buffer.from(name)]));
    files.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, entries, end]);
}
