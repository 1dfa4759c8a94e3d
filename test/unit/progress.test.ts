// The line of progress: on a terminal it is shown and removed, in a pipe nothing is written.
import { megabytes, showProgress } from '../../src/commands/progress';

function written(isTTY: boolean, work: (progress: ReturnType<typeof showProgress>) => void): string {
  let text = '';
  work(showProgress((bytes) => `${megabytes(bytes)} written`, { isTTY, write: (piece) => (text += piece) }));
  return text;
}

test('a terminal shows the progress, and nothing of it at the end', () => {
  const text = written(true, ({ add, end }) => {
    add(1_250_000);
    end();
  });
  expect(text).toBe('\r\x1b[K1.3 MB written\r\x1b[K');
});

test('a pipe stays empty', () => {
  const text = written(false, ({ add, end }) => {
    add(1_000_000);
    end();
  });
  expect(text).toBe('');
});
