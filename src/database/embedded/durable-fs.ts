// PGlite's files on disk, with fsync, which PGlite's own file layer does not do.
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
  /** Turns errors of Node into errors of the C library. */
  tryFSOperation(operation: () => void): void;
}

/**
 * Emscripten passes fsync() to the stream operation `fsync`, and reports success without one. It does not pass on
 * fdatasync(), PostgreSQL's default for the log on Linux, so DurableFs needs `wal_sync_method=fsync`.
 * Replaced inside of PGlite 0.5.16: without it an acknowledged write could be lost in a power cut. Remove this when
 * PGlite's NodeFS syncs, or offers a setting for it.
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
