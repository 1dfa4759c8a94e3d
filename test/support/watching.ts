// A client that watches: it is cut off at any moment, and comes back with its last cursor at a gateway of its choice.
import { createClient as streamClient } from 'graphql-sse';
import { createClient as socketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Parsed } from './gateway';
import { inTime } from './waiting';

export type Transport = 'WebSocket' | 'event stream';

interface Connected {
  results: AsyncIterableIterator<Parsed>;
  /** Cuts the connection, without a word to the gateway. */
  cut(): void;
}

/** One connection with one subscription, of the libraries that users have. */
export function connectTo(
  url: string,
  transport: Transport,
  query: string,
  variables: Record<string, unknown> = {},
): Connected {
  if (transport === 'WebSocket') {
    const opened: WebSocket[] = [];
    class Tracked extends WebSocket {
      constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
        super(...parameters);
        opened.push(this.on('error', () => {}));
      }
    }
    const client = socketClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: Tracked,
      retryAttempts: 0,
    });
    return {
      results: client.iterate({ query, variables }) as Connected['results'],
      cut: () => {
        for (const socket of opened) socket.terminate();
      },
    };
  }
  const client = streamClient({ url: `${url}/graphql`, retryAttempts: 0 });
  return { results: client.iterate({ query, variables }) as Connected['results'], cut: () => client.dispose() };
}

/** A subscription of one field, whose changes have cursors, for as long as the test goes. */
export class Watching {
  readonly got: Parsed[] = [];
  cuts = 0;
  private connected: Connected | undefined;
  private isOver = false;
  private readonly ended: Promise<void>;

  constructor(
    private readonly urls: () => string[],
    private readonly transport: Transport,
    private readonly query: string,
    private after: string,
  ) {
    this.ended = this.run();
  }

  cut(): void {
    this.cuts += 1;
    this.connected?.cut();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    this.connected?.cut();
    await inTime('the watcher ends', this.ended, () => this.got);
  }

  private async run(): Promise<void> {
    for (let connections = 0; !this.isOver; connections += 1) {
      const urls = this.urls();
      const url = urls[connections % urls.length] as string;
      const connected = connectTo(url, this.transport, this.query, { after: this.after });
      this.connected = connected;
      try {
        for await (const { data, errors } of connected.results) {
          if (errors) throw new Error(JSON.stringify(errors));
          const [change] = Object.values(data) as Parsed[];
          this.got.push(change);
          this.after = change.cursor;
        }
      } catch {
        // It was cut, or the gateway is gone: it comes back.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}
