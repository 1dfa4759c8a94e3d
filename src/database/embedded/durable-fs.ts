// Makes PGlite sync its files to the disk, which its own file layer does not do.
import fs from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type EmscriptenOptions = Parameters<NodeFS['init']>[1];

/** An open file of Emscripten's NODEFS. `nfd` is the real file descriptor. */
interface Stream {
  nfd: number;
}

interface NodeFileSystem {
  stream_ops: { fsync?: (stream: Stream) => number };
  /** Turns errors of Node into errors of the C library. */
  tryFSOperation(operation: () => void): void;
}

/**
 * Emscripten passes fsync() to the stream operation `fsync`, and reports success if there is none. It does not pass on
 * fdatasync(), which PostgreSQL uses for its log on Linux by default, so this class needs `wal_sync_method=fsync`. Without it an
 * acknowledged write could be lost in a power cut. PGlite 0.5.16 needs this class. Remove it when PGlite's NodeFS syncs files, or
 * has a setting for that.
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
