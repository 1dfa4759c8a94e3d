// Holds the self-signed certificate of the simulated machines with TLS. Its key is not secret, because the machines listen only on loopback.
import { X509Certificate } from 'node:crypto';

export const CERTIFICATE = {
  key: `\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUm0Sqh5Z+Nz4z0y2
sMbgA9HiZWDzOYUWER683jSSaPehRANCAARWk7kipZK6e1DUSXwgr2M7z8z+AJOZ
mr/gVNk+pfDV7HL+kr8wsnbi3Y4+pL/+8aRQc9Qa3yiRJm/3a8ka7olh
-----END PRIVATE KEY-----
`,
  /** The common name of the certificate is the serial number of the printer. */
  cert: `\
-----BEGIN CERTIFICATE-----
MIIBJzCBz6ADAgECAgkBFHErGLy7GTAwCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwP
MDFQMDBBMDAwMDAwMDAxMB4XDTIwMDEwMTAwMDAwMFoXDTQ5MTIzMTIzNTk1OVow
GjEYMBYGA1UEAwwPMDFQMDBBMDAwMDAwMDAxMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEVpO5IqWSuntQ1El8IK9jO8/M/gCTmZq/4FTZPqXw1exy/pK/MLJ24t2O
PqS//vGkUHPUGt8okSZv92vJGu6JYTAKBggqhkjOPQQDAgNHADBEAiBsXkC8VD17
js7jVR1VrSQFgJD6X7ywNj1O9KrCQiCrGwIgJ0Aohlz2ztKDJAnlMlNVTs0X6Ldo
Po9geF0rIsKIb64=
-----END CERTIFICATE-----
`,
};

/** The SHA-256 of a certificate, in hexadecimal digits. */
export const fingerprintOf = (cert: string) =>
  new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();
