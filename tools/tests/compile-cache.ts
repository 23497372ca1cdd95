import { tmpdir } from 'node:os'
import path from 'node:path'

/** Where processes and threads of tests find modules compiled, also those of an earlier run: otherwise each compiles the same ones again. */
export const COMPILE_CACHE = path.join(tmpdir(), 'node-compile-cache')
