// Addresses of camera pages: each id is read back unchanged from its address, as a browser parses it.

import { cameraAddress, parseCameraId } from '../../src/web/camera/camera-address';
import fc from '../support/generated';

const readBack = (address: string) => parseCameraId(new URL(address, 'http://farm.test'));

test.each(['.', '..', '%2e', 'x/y', 'x%2Fy', 'x%252Fy', 'a b+c', '?&#=', '%', 'ü\\'])('%s', (id) => {
  expect(readBack(cameraAddress(id))).toBe(id);
});

test('any id', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (id) => expect(readBack(cameraAddress(id))).toBe(id)));
});

test.each(['cam-1', 'x/y', 'x%2Fy', 'cam/1 ü'])('the older address of %s', (id) => {
  expect(readBack(`/camera/${encodeURIComponent(id)}`)).toBe(id);
  expect(readBack(`/camera/${encodeURIComponent(id)}?last=week`)).toBe(id);
});
