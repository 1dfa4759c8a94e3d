// Opens sessions beside the gateway, on the database of its server.
import { Client } from 'pg';
import type { Gateway, Parsed } from './gateway';

/** Opens a session; all sessions are closed after the test. */
export function useSessions(gateway: Gateway): () => Promise<Client> {
  const clients: Client[] = [];
  let url: string;
  beforeAll(async () => {
    const [{ name, port, user }] = (await gateway.sql(
      `select current_database() as name, inet_server_port() as port, current_user as user`,
    )) as [Parsed];
    url = `postgresql://${user}@127.0.0.1:${port}/${name}`;
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
  });
  return async () => {
    const client = new Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  };
}
