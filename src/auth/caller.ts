// Who asks, and what they may do: the one rule of both doors, asked by every resolver.
import { Forbidden, Unauthenticated } from '../errors';

export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

export class Caller {
  constructor(
    /** Tells callers apart; empty for the one caller of a gateway without authentication. */
    readonly name: string,
    private readonly scopes: readonly Scope[],
    /** The only camera that the caller may write for; null when it is not bound to one. */
    private readonly cameraId: string | null = null,
  ) {}

  /** Callers whose rights to read are the same may share what was read, or why they were refused. */
  get readRights(): string {
    if (this.scopes.includes('read')) return 'read';
    return this === NOBODY ? 'nobody' : '';
  }

  mayRead(): void {
    this.needs('read');
  }

  /** Anything but what a camera may write for itself. */
  mayWrite(): void {
    this.needs('write');
    if (this.cameraId !== null)
      throw new Forbidden(`These credentials may write for the camera ${this.cameraId} alone`);
  }

  mayWriteForCameras(ids: readonly string[]): void {
    this.needs('write');
    if (this.cameraId !== null && ids.some((id) => id !== this.cameraId)) this.mayWrite();
  }

  /** Asked before anything of a request is looked at; what exactly may be written is the resolver's question. */
  needs(scope: Scope): void {
    if (this.scopes.includes(scope)) return;
    if (this === NOBODY) throw new Unauthenticated('Credentials are needed: Authorization: Bearer, or X-API-Key');
    throw new Forbidden(`These credentials do not have the scope "${scope}"`);
  }
}

/** Everybody, where no authentication is configured. */
export const ANYBODY = new Caller('', SCOPES);
/** Who comes without credentials, where they are needed. */
export const NOBODY = new Caller('', []);
