// The limits of devices.
import { MAX_KEY_LENGTH } from '../../values/text';

/** Of a farm. `devices` answers all of them at once. */
export const MAX_DEVICES = 1000;
/** Tests of devices that one process does at a time. Each takes a socket for up to 10 s. */
export const MAX_DEVICE_TESTS = 10;
/** The longest address, serial number, user name and secret. */
export const MAX_DEVICE_TEXT = MAX_KEY_LENGTH;
