// Finds the preview picture of a file in its metadata. The connection reads it over HTTP, because the WebSocket sends only its name.
import { choosePicture, isShowable, MAX_THUMBNAIL_BYTES } from '../../values/thumbnail';
import { memberAt, readPath, readWhole } from '../message-values';

/** Moonraker lists three pictures of a file at most. */
const MAX_LISTED = 20;

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
