// TRUSTED_OPERATIONS: callers whose operations a program makes, such as a router of a supergraph. A hundred look-ups through
// Hive are 1,800 tokens.
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import type { GraphLimits } from './limits';
import type { PersistedOperations } from './persisted-operations';
import { createGraphServer, type GraphServer } from './server';

const FACTOR = 10;

/** Apollo has one bound of tokens for all that it parses, so these callers have a server of their own. */
export function createGraphServers(...parts: Parameters<typeof createGraphServer>): GraphServer {
  const usual = createGraphServer(...parts);
  const [schema, channels, log, settings, persisted, requestMs] = parts;
  if (settings.trusted.length === 0) return usual;
  const limits = { ...settings.limits, ...tenfold(settings.limits) };
  const open = persisted && withOthers(persisted);
  const trusted = createGraphServer(schema, channels, log, { ...settings, limits }, open, requestMs);
  const both = [usual, trusted];
  return {
    start: async () => void (await Promise.all(both.map((one) => one.start()))),
    execute(operation, context, door) {
      const { ownName } = context.caller;
      const isTrusted = ownName !== null && settings.trusted.includes(ownName);
      return (isTrusted ? trusted : usual).execute(operation, context, door);
    },
    stop: async () => void (await Promise.all(both.map((one) => one.stop()))),
  };
}

/** By their hashes these callers find the operations of the manifests too, beside those that they sent before. */
function withOthers({
  cache,
}: Pick<PersistedOperations, 'cache'>): Pick<PersistedOperations, 'cache' | 'refuseOthers'> {
  const sent = new InMemoryLRUCache<string>();
  return {
    cache: {
      get: async (key) => (await cache.get(key)) ?? sent.get(key),
      set: (key, text) => sent.set(key, text),
      delete: (key) => sent.delete(key),
    },
    refuseOthers: () => {},
  };
}

const tenfold = ({ tokens, aliases, directives }: GraphLimits) => ({
  tokens: tokens * FACTOR,
  aliases: aliases * FACTOR,
  directives: directives * FACTOR,
});
