// Reads the QR code in a picture, as the camera of a phone does.
import { readFileSync } from 'node:fs';
import type jsQR from 'jsqr';
import type { Page } from 'playwright-core';

const READER = readFileSync(require.resolve('jsqr'), 'utf8');

/**
 * @param page any page: the browser decodes the picture and runs the reader, because a million pixels take long to transfer
 * @returns the text of the code; undefined if none is found
 */
export async function readCode(page: Page, picture: Buffer): Promise<string | undefined> {
  await page.evaluate(READER);
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    if (context === null) throw new Error('The browser gives no canvas.');
    context.drawImage(bitmap, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const read = (globalThis as unknown as { jsQR: typeof jsQR }).jsQR;
    return read(data, width, height, { inversionAttempts: 'dontInvert' })?.data;
  }, picture.toString('base64'));
}
