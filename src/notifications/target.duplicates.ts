// Refuses a second MQTT channel with the same broker and prefix, because both channels would overwrite each other's topics.
import { Conflict } from '../errors';
import { Duplicates } from '../wire/duplicates';
import type { Reach } from '../wire/networks';
import { parseTargetUrl } from './target.address';

/** A write waits at most this long for host names to resolve. A slower name is compared as text only. */
const LOOK_UP_MS = 500;

interface ComparedTarget {
  id: string;
  kind: string;
  url: string;
  name: string;
}

const toComparedAddress = ({ kind, url }: Pick<ComparedTarget, 'kind' | 'url'>) => ({ kind, address: url });

export class DuplicateTargets {
  private readonly duplicates: Duplicates;

  constructor(reach: Reach) {
    this.duplicates = new Duplicates({ resolve: (host) => reach.networkOf(host).resolve(host) }, ({ address }) => {
      const { host, port, path } = parseTargetUrl('MQTT', address);
      return { host, port, part: path };
    });
  }

  /** Called before the transaction, because a transaction must not wait for DNS. */
  async lookUpNames(
    target: Pick<ComparedTarget, 'kind' | 'url'>,
    others: () => Promise<ComparedTarget[]>,
  ): Promise<void> {
    if (target.kind !== 'MQTT') return;
    const brokers = (await others()).filter(({ kind }) => kind === 'MQTT');
    await this.duplicates.lookUp([target, ...brokers].map(toComparedAddress), LOOK_UP_MS);
  }

  refuse(target: Pick<ComparedTarget, 'id' | 'kind' | 'url'>, others: readonly ComparedTarget[]): void {
    if (target.kind !== 'MQTT') return;
    const compared = toComparedAddress(target);
    const names = new Map(
      others.flatMap((candidate) =>
        candidate.id !== target.id && candidate.kind === 'MQTT'
          ? [[toComparedAddress(candidate), candidate.name] as const]
          : [],
      ),
    );
    const duplicate = this.duplicates.findAmong([compared, ...names.keys()]).get(compared);
    if (duplicate === undefined) return;
    throw new Conflict(
      `has the same broker and prefix as the channel ${names.get(duplicate)}. Enter another prefix`,
      'input',
      'url',
    );
  }
}
