// PGlite's files on disk, with the one thing that its own file layer leaves out: what PostgreSQL syncs is synced.
import fs from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type EmscriptenOptions = Parameters<NodeFS['init']>[1];

/** An open file of emscripten's NODEFS; `nfd` is the real descriptor. */
interface Stream {
  nfd: number;
}

interface NodeFileSystem {
  stream_ops: { fsync?: (stream: Stream) => number };
  /** Turns Node's errors into those that the C library understands. */
  tryFSOperation(operation: () => void): void;
}

/**
 * Emscripten hands fsync() to the stream operation of that name and takes its absence for success. It never hands on
 * fdatasync(), which PostgreSQL would use for its log on Linux: hence `wal_sync_method=fsync` where this is used.
 */
export class DurableFs extends NodeFS {
  override async init(pg: PGlite, options: EmscriptenOptions) {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      (module: unknown) => {
        const { NODEFS } = module as { NODEFS: NodeFileSystem };
        NODEFS.stream_ops.fsync = ({ nfd }) => {
          NODEFS.tryFSOperation(() => fs.fsyncSync(nfd));
          return 0;
        };
      },
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}
