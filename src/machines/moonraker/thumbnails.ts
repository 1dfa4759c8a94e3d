// Reads the preview pictures of files from Moonraker. Its WebSocket sends only their names, so they are read over HTTP from the same address.
import { PRINTER_KINDS } from '../../kind-facts';
import { choosePicture, isShowable, MAX_THUMBNAIL_BYTES } from '../../values/thumbnail';
import type { ConnectionLifetime } from '../../wire/connection-lifetime';
import type { Limits } from '../../wire/connection-limits';
import type { Network } from '../../wire/networks';
import { HttpMachine } from '../http-connection';
import type { Target } from '../machine-connection';
import { memberAt, readPath, readWhole } from '../message-values';

/** Moonraker lists three pictures of a file at most. */
const MAX_LISTED = 20;

export class Thumbnails {
  private machine: HttpMachine | undefined;
  /** The picture of the file whose metadata was read last. */
  private found: { filename: string; path: string } | null = null;

  constructor(
    private readonly target: Target,
    private readonly parts: { network: Network; lifetime: ConnectionLifetime; limits: Limits },
  ) {}

  /** Remembers the best picture in the metadata of a file. */
  remember(filename: unknown, metadata: unknown): void {
    const path = typeof filename === 'string' ? findThumbnail(filename, metadata) : null;
    this.found = path === null ? null : { filename: filename as string, path };
  }

  /** Reads the picture of a file. `null` if its metadata names no small picture, or if it could not be read. */
  async read(filename: string): Promise<Buffer | null> {
    if (this.found?.filename !== filename) return null;
    const { secret } = this.target;
    const headers = { accept: 'image/png, image/jpeg', ...(secret !== null && { 'x-api-key': secret }) };
    try {
      this.machine ??= new HttpMachine(this.target, { ...this.parts, form: PRINTER_KINDS.MOONRAKER.address });
      return (await this.machine.http.askForBytes(this.found.path, { headers }, MAX_THUMBNAIL_BYTES)).bytes;
    } catch {
      return null;
    }
  }
}

/** The path of the best picture of a file. The metadata names a picture relative to the folder of its file. */
export function findThumbnail(filename: string, metadata: unknown): string | null {
  const listed = memberAt(metadata, 'thumbnails');
  if (!Array.isArray(listed)) return null;
  const pictures = listed.slice(0, MAX_LISTED).flatMap((entry: unknown) => {
    const path = readPath(memberAt(entry, 'relative_path'));
    const size = readWhole(memberAt(entry, 'size'), MAX_THUMBNAIL_BYTES);
    const [width, height] = ['width', 'height'].map(
      (side) => readWhole(memberAt(entry, side), Number.MAX_SAFE_INTEGER) ?? 0,
    );
    const picture = { path, width: width as number, height: height as number };
    return path === null || size === null || !isShowable(picture) ? [] : [{ ...picture, path }];
  });
  const best = choosePicture(pictures);
  if (best === undefined) return null;
  const folder = filename.slice(0, filename.lastIndexOf('/') + 1);
  const names = `${folder}${best.path}`.split('/');
  // A name with dots would lead out of the folder of print files.
  if (names.some((name) => name === '.' || name === '..')) return null;
  return `/server/files/gcodes/${names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')}`;
}
