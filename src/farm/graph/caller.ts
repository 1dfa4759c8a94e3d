// The caller of a request and its rights. What a field needs of them is declared beside it (rights.ts).
import { Forbidden, Unauthenticated } from '../../errors';

/** The scope `write` does not include `devices`, because the address of a device is where the gateway sends its secret. */
export const SCOPES = ['read', 'write', 'devices'] as const;
export type Scope = (typeof SCOPES)[number];

export const REFUSED = 'The credentials are not accepted: unknown, expired, or not for this gateway';
export const TOKEN_EXPIRED = 'The token has expired';

export class Caller {
  constructor(
    /** The kind of its credentials and its name in them, unique among callers; empty for a caller without credentials. */
    readonly name: string,
    private readonly scopes: readonly Scope[],
    /** The only camera that the caller may write for; null for all cameras. */
    private readonly cameraId: string | null = null,
    /** When the credentials expire, in milliseconds since 1970; null for never. */
    readonly expiresAt: number | null = null,
  ) {}

  /** Callers with the same rights to read may share one answer, a refusal included. Who configures devices sees their addresses. */
  get readRights(): string {
    if (this.scopes.includes('read')) return this.canConfigureDevices ? 'read devices' : 'read';
    // REST and GraphQL refuse a caller without credentials before they look for an answer to share. If one did not, its
    // answer would not be shared with callers who have credentials.
    return this === NOBODY ? 'nobody' : '';
  }

  /** The rights that the caller lacks, and its only camera, as texts: a stored answer is for callers with the same rights. Empty for full rights. */
  get restrictions(): string[] {
    const missing = SCOPES.filter((scope) => !this.scopes.includes(scope));
    return this.cameraId === null ? missing : [...missing, this.cameraId];
  }

  /** Callers with the same identity may share an answer of a personal field (graphql/demands.ts). */
  get identity(): string {
    return JSON.stringify([this.name, ...this.restrictions]);
  }

  /** For what removes a device only where there is one. */
  get canConfigureDevices(): boolean {
    return this.scopes.includes('devices') && this.cameraId === null;
  }

  /** Its name in its credentials: that of a key, or the subject of a token. Null without credentials. */
  get ownName(): string | null {
    return this.name === '' ? null : this.name.slice(this.name.indexOf(' ') + 1);
  }

  /** The caller as it is shown to itself. */
  get viewer() {
    return {
      name: this.ownName,
      mayRead: this.scopes.includes('read'),
      mayWrite: this.scopes.includes('write'),
      mayConfigureDevices: this.canConfigureDevices,
      cameraId: this.cameraId,
    };
  }

  /** Checked before an operation is parsed: parsing and validation cost memory and time. */
  requireCredentials(): void {
    if (this === NOBODY) throw new Unauthenticated('Credentials are needed: Authorization: Bearer, or X-API-Key');
  }

  /** Credentials of a connection may expire before it ends. */
  requireUnexpired(now: number): void {
    if (this.expiresAt !== null && this.expiresAt <= now) throw new Unauthenticated(TOKEN_EXPIRED);
  }

  requireRead(): void {
    this.requireScope('read');
  }

  /** For every write except the writes of a camera about itself. */
  requireWrite(): void {
    this.requireScope('write');
    if (this.cameraId !== null)
      throw new Forbidden(
        `These credentials may write only for the camera ${this.cameraId}, and may not set a MAC address`,
      );
  }

  /** For every change of a device, and for tests of devices, which connect to a machine. */
  requireDevices(): void {
    this.requireScope('devices');
    if (this.cameraId !== null) {
      throw new Forbidden(`These credentials are for the camera ${this.cameraId}, and may not configure devices`);
    }
  }

  /** Has a right to change anything; the resolver then checks which. */
  requireAnyChange(): void {
    if (!this.scopes.includes('devices')) this.requireScope('write');
  }

  requireWriteForCameras(ids: readonly unknown[]): void {
    this.requireScope('write');
    if (this.cameraId !== null && ids.some((id) => id !== this.cameraId)) this.requireWrite();
  }

  /** A MAC address is unique among all cameras, so credentials that are bound to one camera must not claim an address. */
  requireCameraRegistration({ id, macAddress }: { id: unknown; macAddress?: unknown }): void {
    this.requireWriteForCameras([id]);
    if ((macAddress ?? '') !== '') this.requireWrite();
  }

  /** As for the registration. Removing the MAC address of a camera counts too. */
  requireCameraUpdate(id: unknown, { macAddress }: { macAddress?: unknown }): void {
    this.requireWriteForCameras([id]);
    if (macAddress !== undefined) this.requireWrite();
  }

  /** Checked before the request is read; the resolver then checks the camera. */
  requireScope(scope: Scope): void {
    if (this.scopes.includes(scope)) return;
    this.requireCredentials();
    throw new Forbidden(`These credentials do not have the scope "${scope}"`);
  }
}

/** Every caller, when no authentication is configured. */
export const ANYBODY = new Caller('', SCOPES);
/** A caller without credentials, when authentication is configured. */
export const NOBODY = new Caller('', []);
