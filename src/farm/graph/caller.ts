// Decides what the caller of a request may do. Each field declares beside itself which of these rights it needs (rights.ts).
import { Forbidden, Unauthenticated } from '../../errors';

/** The scope `write` does not include `devices`, because the address of a device is where the gateway sends its secret. */
export const SCOPES = ['read', 'write', 'devices', 'spools'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that distinguish stored answers. `spools` is not among them: it opens only paths on which it includes the other two. */
const RESTRICTING: readonly Scope[] = ['read', 'write', 'devices'];

export const CREDENTIALS_REFUSED =
  'The gateway rejects these credentials, because they are unknown, expired, or for another gateway. Use other credentials';
export const TOKEN_EXPIRED = 'The token has expired. Connect again with a new token';

export class Caller {
  constructor(
    /** The kind of the credentials and the name in them, unique among callers; empty for a caller without credentials. */
    readonly name: string,
    private readonly scopes: readonly Scope[],
    /** The only camera for which the caller may write; `null` for all cameras. */
    private readonly cameraId: string | null = null,
    /** When the credentials expire, in milliseconds since 1970; `null` for never. */
    readonly expiresAt: number | null = null,
  ) {}

  /** Callers with the same text may share one answer or one refusal. Callers that may configure devices see more, so their text differs. */
  get readRights(): string {
    if (this.scopes.includes('read')) return this.canConfigureDevices ? 'read devices' : 'read';
    // REST and GraphQL refuse a caller without credentials before they look for a shared answer. Should that ever fail, such a caller
    // shares no answer with callers that have credentials.
    return this === NOBODY ? 'nobody' : '';
  }

  /** The missing rights and the only camera of the caller; empty for full rights. A stored answer is only for callers with the same restrictions. */
  get restrictions(): string[] {
    const missing = RESTRICTING.filter((scope) => !this.scopes.includes(scope));
    return this.cameraId === null ? missing : [...missing, this.cameraId];
  }

  /** Callers with the same identity may share an answer of a personal field (doors/graphql/demands.ts). */
  get identity(): string {
    return JSON.stringify([this.name, ...this.restrictions]);
  }

  /** For decisions that need this right only in some cases, such as removing a camera that has a device. */
  get canConfigureDevices(): boolean {
    return this.scopes.includes('devices') && this.cameraId === null;
  }

  /** The name of the API key, or the subject of the token; `null` without credentials. */
  get displayName(): string | null {
    return this.name === '' ? null : this.name.slice(this.name.indexOf(' ') + 1);
  }

  /** The caller in the form in which the query `viewer` shows it. */
  get viewer() {
    return {
      name: this.displayName,
      mayRead: this.scopes.includes('read'),
      mayWrite: this.scopes.includes('write'),
      mayConfigureDevices: this.canConfigureDevices,
      cameraId: this.cameraId,
    };
  }

  /** Checked before an operation is parsed, because parsing and validation cost memory and time. */
  requireCredentials(): void {
    if (this === NOBODY)
      throw new Unauthenticated(
        'This request has no credentials. Send a token as Authorization: Bearer, or an API key as X-API-Key',
      );
  }

  /** Checked again during a connection, because its credentials may expire before it ends. */
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
        `These credentials may write only for the camera ${this.cameraId}, and may not set a MAC address. Use credentials for all cameras`,
      );
  }

  /** For every change of a device, and for device tests, because they connect to a machine. */
  requireDevices(): void {
    this.requireScope('devices');
    if (this.cameraId !== null) {
      throw new Forbidden(
        `These credentials are for the camera ${this.cameraId}, and may not configure devices. Use credentials for all cameras`,
      );
    }
  }

  /** Refuses callers that may change nothing at all. For other callers, the field then checks the specific right. */
  requireAnyChange(): void {
    if (!this.scopes.includes('devices') && !this.scopes.includes('spools')) this.requireScope('write');
  }

  /** For the API for clients of Spoolman, which the scope `spools` opens for reading and writing. */
  requireSpools(right: 'read' | 'write'): void {
    if (this.scopes.includes('spools') && this.cameraId === null) return;
    if (right === 'read') this.requireRead();
    else this.requireWrite();
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

  /** Checked before the body of a request is read. The resolver then checks the camera. */
  requireScope(scope: Scope): void {
    if (this.scopes.includes(scope)) return;
    this.requireCredentials();
    throw new Forbidden(`These credentials do not have the scope "${scope}". Use credentials that have it`);
  }
}

/** Every caller if no authentication is configured. */
export const ANYBODY = new Caller('', SCOPES);
/** A caller without credentials if authentication is configured. */
export const NOBODY = new Caller('', []);
