// A fake Spoolman for tests: lists with pages, own fields, logins, and answers that no Spoolman gives.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeObject = Record<string, unknown>;

const REGISTERED = '2025-03-01T10:00:00Z';

export const fakeVendor = (id: number, members: FakeObject = {}): FakeObject => ({
  id,
  registered: REGISTERED,
  name: `Vendor ${id}`,
  extra: {},
  ...members,
});

export const fakeFilament = (id: number, members: FakeObject = {}): FakeObject => ({
  id,
  registered: REGISTERED,
  name: `Filament ${id}`,
  material: 'PLA',
  density: 1.24,
  diameter: 1.75,
  weight: 1000,
  color_hex: '1E90FF',
  extra: {},
  tags: [],
  ...members,
});

export const fakeSpool = (id: number, filament: FakeObject, members: FakeObject = {}): FakeObject => ({
  id,
  registered: REGISTERED,
  filament,
  initial_weight: 1000,
  used_weight: 0,
  archived: false,
  extra: {},
  tags: [],
  ...members,
});

type Handle = (request: IncomingMessage, response: ServerResponse) => boolean | undefined;

export class FakeSpoolman {
  vendors: FakeObject[] = [];
  filaments: FakeObject[] = [];
  spools: FakeObject[] = [];
  fields: Record<'vendor' | 'filament' | 'spool', FakeObject[]> = { vendor: [], filament: [], spool: [] };
  /** The paths with queries and the headers of all requests. */
  readonly requests: { url: string; headers: IncomingMessage['headers'] }[] = [];
  /** The header that each request must have; null for no login. */
  login: { name: string; value: string } | null = null;
  /** Answers a request instead of the lists; returns true if it did. */
  handle: Handle = () => undefined;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(): Promise<FakeSpoolman> {
    const fake = new FakeSpoolman();
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push({ url: request.url ?? '', headers: request.headers });
    if (this.handle(request, response)) return;
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (this.login !== null && request.headers[this.login.name] !== this.login.value) {
      send(401, { message: 'a text of the answer' });
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://fake');
    const path = pathname.replace(/^.*\/api\/v1\//, '');
    const [, owner] = /^field\/(vendor|filament|spool)$/.exec(path) ?? [];
    if (path === 'info') send(200, { version: '0.26.1' });
    else if (owner !== undefined) send(200, this.fields[owner as 'vendor']);
    else if (path === 'vendor') send(200, page(this.vendors, searchParams));
    else if (path === 'filament') send(200, page(this.filaments, searchParams));
    else if (path === 'spool') send(200, page(this.spools, searchParams));
    else send(404, { message: 'not found' });
  }
}

function page(objects: readonly FakeObject[], parameters: URLSearchParams): FakeObject[] {
  const offset = Number(parameters.get('offset'));
  return objects.slice(offset, offset + Number(parameters.get('limit')));
}
