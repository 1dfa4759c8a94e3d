// A client that watches a subscription, can be cut off at any moment, and returns with its last cursor to a gateway of its choice.
import { createClient as streamClient } from 'graphql-sse';
import { createClient as socketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Parsed } from './gateway';
import { inTime } from './waiting';

export type Transport = 'WebSocket' | 'event stream';

interface Connected {
  results: AsyncIterableIterator<Parsed>;
  /** Cuts the connection without notifying the gateway. */
  cut(): void;
}

/** One connection with one subscription, made by the libraries that users have. */
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

/** A subscription to one field, whose changes have cursors, until the test stops it. */
export class WatchingClient {
  readonly received: Parsed[] = [];
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
    await inTime('the watcher ends', this.ended, () => this.received);
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
          this.received.push(change);
          this.after = change.cursor;
        }
      } catch {
        // The connection was cut, or the gateway is away: the client returns.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}
