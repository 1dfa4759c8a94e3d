// The programs that some tests need beside Node, and where they are found.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const PROGRAMS = {
  caddy: { variable: 'CADDY_PATH', advice: '`apt-get install caddy` installs it' },
  chromium: {
    variable: 'CHROMIUM_PATH',
    advice: '`apt-get install chromium-headless-shell` installs it, or CHROMIUM_PATH names it',
  },
  mosquitto: { variable: 'MOSQUITTO_PATH', advice: '`apt-get install mosquitto` installs it' },
  nginx: { variable: 'NGINX_PATH', advice: '`apt-get install nginx` installs it' },
  pgbouncer: { variable: 'PGBOUNCER_PATH', advice: '`apt-get install pgbouncer` installs it' },
} as const;

/** Debian and Homebrew install servers where only the PATH of root points. */
const BESIDE_PATH = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

export function pathOf(program: keyof typeof PROGRAMS): string | undefined {
  const named = process.env[PROGRAMS[program].variable];
  if (named) return named;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...BESIDE_PATH];
  // Without windows Chromium takes a quarter less CPU time.
  const files = program === 'chromium' ? ['chromium-headless-shell', program] : [program];
  return files.flatMap((file) => folders.map((folder) => join(folder, file))).find((path) => existsSync(path));
}
