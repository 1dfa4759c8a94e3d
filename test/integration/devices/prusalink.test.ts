// The connection to PrusaLink, with each way to sign in.
import { startHttpServer } from '../../support/hostile-machine';
import { countMessages, listen, startPrusaLink } from '../../support/web-printers';

const polls = countMessages('/api/v1/status');

describe('PrusaLink', () => {
  test('the password is sent in clear text at most once, and as a digest if the printer asks for that', async () => {
    for (const [login, secret, sent] of [
      ['KEY', 'key', ['Key', 'Key', 'Key']],
      ['BUDDY', 'key', ['Key', 'Digest', 'Digest']],
      // Such a text is not allowed in a header.
      ['BUDDY', 'пароль', ['-', 'Digest', 'Digest']],
    ] as const) {
      const fake = await startPrusaLink(login, secret);
      await listen('PRUSALINK', fake.url, { secret }).until('it was asked three times', (its) => polls(its) > 2);
      expect([login, secret, fake.requests.map(({ by }) => by).slice(0, 3)]).toEqual([login, secret, sent]);
    }
  });

  test('an expired nonce is replaced, as often as it happens', async () => {
    const fake = await startPrusaLink('BUDDY');
    await listen('PRUSALINK', fake.url).until('it was asked eight times', (its) => polls(its) >= 8);
    expect(fake.requests.filter(({ path }) => path === '/api/v1/status').length).toBeGreaterThan(8);
  });

  test('a challenge for Basic authentication is never answered', async () => {
    const given: unknown[] = [];
    const address = await startHttpServer((request, response) => {
      given.push(request.headers.authorization);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Printer API"' }).end();
    });
    expect(await listen('PRUSALINK', address).waitForEnd()).toBe('PROXY_REFUSED');
    expect(given).toEqual([undefined]);
  });

  test('the printer is polled more often while it prints, and on a new connection if it closed the old one', async () => {
    const fake = await startPrusaLink();
    const listening = listen('PRUSALINK', fake.url, { pollMs: 60_000, pollPrintingMs: 10 });
    await listening.waitForActivity('IDLE');
    listening.setPrinting(true);
    await listening.until('it was asked five times', (its) => polls(its) >= 5);
    fake.drop();
    const before = polls(listening);
    await listening.until('it was asked three times more', (its) => polls(its) >= before + 3);
  });

  test('one request is sent at a time, however many are waiting', async () => {
    let [running, most] = [0, 0];
    const address = await startHttpServer((request, response) => {
      running += 1;
      most = Math.max(most, running);
      setImmediate(() => {
        running -= 1;
        const body = request.url === '/api/version' ? { text: 'PrusaLink' } : { printer: { state: 'IDLE' } };
        response.end(JSON.stringify(body));
      });
    });
    const listening = listen('PRUSALINK', address);
    await listening.waitForConnection();
    const jobs = countMessages('/api/v1/job');
    for (let n = 0; n < 20; n += 1) listening.ask({ source: '/api/v1/job', parameters: { times: n % 10 } });
    await listening.until('ten jobs and three states were answered', (its) => jobs(its) >= 10 && polls(its) >= 3);
    expect([most, jobs(listening)]).toEqual([1, 10]);
  });

  test('one unreadable answer is skipped, two in a row end the connection', async () => {
    let unreadable = 1;
    const address = await startHttpServer((request, response) => {
      if (request.url === '/api/version') return response.end('{"text":"PrusaLink"}');
      if (request.url === '/api/v1/status' && unreadable-- > 0) return response.end('{"printer":');
      return response.end('{"printer":{"state":"IDLE"}}');
    });
    const listening = listen('PRUSALINK', address);
    await listening.waitForActivity('IDLE');
    unreadable = 2;
    expect(await listening.waitForEnd()).toBe('PROTOCOL_ERROR');
  });
});
