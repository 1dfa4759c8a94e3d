// Starts another Node process on a TypeScript file of the tests or on a built file, and gives its output and its exit code.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { inTime } from './waiting';

export interface Child {
  readonly pid: number;
  /** Everything written so far, standard output and error. */
  readonly output: string;
  /** Resolves when the output contains the text; rejects if the process ends first. */
  waitForOutput(text: string): Promise<void>;
  /** Resolves with the exit code, or the name of the signal. */
  readonly ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
  /** Closes its standard input. */
  end(): void;
}

/** @param stdout a file for its standard output, which is then missing from `output` */
export function startChild(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  cwd?: string,
  stdout: number | 'pipe' = 'pipe',
): Child {
  const hook = file.endsWith('.ts') ? ['-r', join(__dirname, 'run-typescript.cjs')] : [];
  const child: ChildProcess = spawn(process.execPath, [...hook, file, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', stdout, 'pipe'],
  });
  let output = '';
  let listeners: (() => void)[] = [];
  const read = (text: Buffer) => {
    output += text;
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code ?? -1));
  });
  return {
    pid: child.pid ?? 0,
    get output() {
      return output;
    },
    waitForOutput: (text) => {
      const found = new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!output.includes(text)) return;
          listeners = listeners.filter((listener) => listener !== look);
          resolve();
        };
        listeners.push(look);
        look();
        ended.then((how) => reject(new Error(`The process ended (${how}) without saying "${text}":\n${output}`)));
      });
      return inTime(`the process says "${text}"`, found, () => output);
    },
    get ended() {
      return inTime(`the process ends: ${[file, ...args].join(' ')}`, ended, () => output);
    },
    kill: (signal) => child.kill(signal),
    end: () => child.stdin?.end(),
  };
}
