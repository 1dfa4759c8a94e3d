// Reads answers of the API for Spoolman's clients as a strict client does: no null, no text for a number, no time without a zone.
import { parse } from 'lossless-json';
import type { Gateway, Parsed, RestResponse } from './gateway';

const NUMBERS = /^(id|order|price|density|diameter|weight|.*_weight|.*_length|settings_.*_temp)$/;
const TIMES = /^(registered|first_used|last_used|added|date)$/;

function check(value: unknown, name: string, text: string): void {
  const refuse = (fault: string) => {
    throw new Error(`${name} ${fault} in ${text.slice(0, 2000)}`);
  };
  if (value === null) refuse('is null');
  if (Array.isArray(value)) for (const item of value) check(item, name, text);
  else if (typeof value === 'object') {
    for (const [member, child] of Object.entries(value as object)) check(child, member, text);
  } else if (NUMBERS.test(name) && typeof value !== 'number') refuse('is not a number');
  else if (TIMES.test(name) && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value))) refuse('is not a time in UTC');
}

/** Checks the text of an answer: its members, and that it is compact. */
export function readStrictly(answer: RestResponse): Parsed {
  const json = JSON.parse(answer.text);
  check(json, 'answer', answer.text);
  const outside = answer.text.replace(/"(?:[^"\\]|\\.)*"/g, '');
  if (/\s/.test(outside)) throw new Error(`the answer has blanks between its tokens: ${answer.text.slice(0, 500)}`);
  parse(answer.text);
  return json;
}

export interface SpoolmanClient {
  (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RestResponse>;
  /** Expects 200, and reads the answer strictly. */
  ok(method: string, path: string, body?: unknown): Promise<Parsed>;
}

/** A client of the API of a gateway. */
export function spoolmanClient(gateway: Gateway, headers: Record<string, string> = {}): SpoolmanClient {
  const ask = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const answer = await gateway.rest(method, `/api/v1${path}`, body, { ...headers, ...more });
    if (method !== 'HEAD' && answer.text !== '' && answer.body !== undefined) readStrictly(answer);
    return answer;
  };
  return Object.assign(ask, {
    async ok(method: string, path: string, body?: unknown) {
      const answer = await ask(method, path, body);
      if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  });
}
