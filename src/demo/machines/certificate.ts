// A certificate that a fake machine makes and signs itself, written in DER by the few parts that it has.
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

interface OwnCertificate {
  /** Both in PEM. */
  key: string;
  cert: string;
  /** SHA-256, as hex. */
  fingerprint: string;
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'));
const FROM_2020_TO_2049 = der(
  SEQUENCE,
  der(TIME, Buffer.from('200101000000Z')),
  der(TIME, Buffer.from('491231235959Z')),
);

export function ownCertificate(commonName: string): OwnCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(commonName)))));
  const signed = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    // A first byte from 1 to 127 makes it positive, and no longer than it must be.
    der(INTEGER, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    FROM_2020_TO_2049,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', signed, privateKey);
  const certificate = new X509Certificate(
    der(SEQUENCE, signed, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.from([0]), signature)),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: certificate.toString(),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}
