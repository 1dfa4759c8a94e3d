// Refuses a second MQTT target with the same broker and prefix: the two would overwrite each other's topics.
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

const withAddress = ({ kind, url }: Pick<ComparedTarget, 'kind' | 'url'>) => ({ kind, address: url });

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
    await this.duplicates.lookUp([target, ...brokers].map(withAddress), LOOK_UP_MS);
  }

  refuse(target: Pick<ComparedTarget, 'id' | 'kind' | 'url'>, others: readonly ComparedTarget[]): void {
    if (target.kind !== 'MQTT') return;
    const compared = withAddress(target);
    const names = new Map(
      others.flatMap((one) =>
        one.id !== target.id && one.kind === 'MQTT' ? [[withAddress(one), one.name] as const] : [],
      ),
    );
    const duplicate = this.duplicates.findAmong([compared, ...names.keys()]).get(compared);
    if (duplicate === undefined) return;
    throw new Conflict(
      `has the broker and the prefix of the target ${names.get(duplicate)}: give another prefix`,
      'input',
      'url',
    );
  }
}
