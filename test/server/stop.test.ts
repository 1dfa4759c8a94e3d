// The stop of a gateway while clients keep their connections open.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createApp } from '../../src/app';
import { freshDatabase } from '../support/databases';
import { PATIENT } from '../support/gateway';
import { waitForClose } from '../support/raw-socket';
import { is, until } from '../support/waiting';

test('a request that comes on a kept connection after the listener has closed is answered', async () => {
  const fresh = await freshDatabase('server');
  let answer = '';
  // A busy machine may ask after the 0.2 s for which the gateway waits for such a request.
  for (let attempt = 0; answer === '' && attempt < 10; attempt += 1) {
    const app = await createApp({ ...PATIENT, port: 0, database: fresh.target });
    const port = Number(new URL(await app.listen()).port);
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const ask = () => {
      socket.write('GET /unknown HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
      const came = once(socket, 'data').then(String, () => '');
      return Promise.race([came, waitForClose(socket).then(() => '')]);
    };
    expect(await ask()).toMatch(/^HTTP\/1\.1 404 /);
    const stopped = app.close();
    const isOpen = () =>
      once(connect(port, '127.0.0.1'), 'connect').then(
        () => true,
        () => false,
      );
    await until('the gateway no longer listens', isOpen, is(false));
    answer = await ask();
    await Promise.all([waitForClose(socket), stopped]);
  }
  await fresh.drop();
  expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
});
