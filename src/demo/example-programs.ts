// Plays the programs of the example farm that use the gateway as their Spoolman: a tag reader, Moonraker, and the host of a printer without a
// connection.

/** The UIDs of the tags on spools. The Bambu Lab spool has two chips and the number that both have in common. */
const TAGS: Record<string, { uid: string; format: string }[]> = {
  'PLA-GALAXY-0412': [{ uid: '04A1B2C3D4E5F6', format: 'ntag215' }],
  'PLA-WHITE-0416': [
    { uid: '6B1F2D90', format: 'mifare-classic' },
    { uid: '6B1F2D91', format: 'mifare-classic' },
    { uid: 'C0FFEE12345678909876543210ABCDEF', format: 'bambu-tray' },
  ],
};

/** No print of the farm uses this spool, so its reports count. */
const REPORTED_SPOOL = 'PLA-WHITE-0416';
/** How Moonraker names itself. The gateway recognises its reports by this name. */
const MOONRAKER = 'Moonraker/v0.9.3';
const OTHER_HOST = 'ExampleHost/1.0';

type Json = Record<string, unknown>;
/** The numbers of the spools, by their serials. */
export type SpoolNumbers = ReadonlyMap<string, number>;

export class ExamplePrograms {
  constructor(
    private readonly url: string,
    /** The API key; `null` if the gateway needs none. */
    private readonly key: string | null,
  ) {}

  /** What the gateway answers to a program that asks which Spoolman it is; `null` if it does not answer as Spoolman. */
  readInfo(): Promise<Json | null> {
    return this.send('GET', '/info');
  }

  /** Links the tags, as a tag reader does, and reports a little filament. Without Spoolman's API the example has neither. */
  async fill(numbers: SpoolNumbers): Promise<void> {
    for (const [serial, tags] of Object.entries(TAGS)) {
      const number = numbers.get(serial);
      if (number === undefined) continue;
      for (const tag of tags) await this.send('POST', `/spool/${number}/tag`, tag);
    }
    const reported = numbers.get(REPORTED_SPOOL);
    if (reported !== undefined) await this.send('PUT', `/spool/${reported}/use`, { use_weight: 18.5 }, OTHER_HOST);
  }

  /** Reports what the printer without a connection has fed. */
  async reportUse(numbers: SpoolNumbers, mm: number): Promise<void> {
    const number = numbers.get(REPORTED_SPOOL);
    if (number !== undefined) await this.send('PUT', `/spool/${number}/use`, { use_length: mm }, OTHER_HOST);
  }

  /** Reports what a print with Moonraker has fed. The gateway follows this print, so the report does not count. */
  async reportUseOfMoonraker(number: number, mm: number): Promise<void> {
    await this.send('PUT', `/spool/${number}/use`, { use_length: mm }, MOONRAKER);
  }

  /** @returns `null` if the gateway does not answer or refuses the request: the rest of the farm still works */
  private async send(method: string, path: string, body?: Json, program = 'ExampleReader/1.0'): Promise<Json | null> {
    const headers = { 'user-agent': program, ...(this.key !== null && { authorization: `Bearer ${this.key}` }) };
    try {
      const answer = await fetch(`${this.url}/api/v1${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return answer.ok ? ((await answer.json()) as Json) : null;
    } catch {
      return null;
    }
  }
}
