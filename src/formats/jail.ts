import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a child may use before the kernel or V8 ends it. */
const DATA_MB = 1024
const HEAP_MB = 512
const CPU_SECONDS = 900

/**
 * Starts Node on `entry` with nothing in its environment and nothing on its standard streams, able to read only
 * this package, its dependencies and the `readable` folders, unable to write or to start processes. The kernel
 * bounds its memory and processor time and ends it with its parent, so that an endless loop leaves no orphan.
 *
 * Where there is no /bin/sh (Windows), V8's heap limit and the pool's time limit remain.
 */
export function startJailed(entry: string, readable: readonly string[]): ChildProcess {
  const node = [
    process.execPath,
    '--no-warnings',
    `--max-old-space-size=${HEAP_MB}`,
    '--permission',
    // A path that ends in a slash would have to exist now; with the asterisk it need not.
    ...[...new Set(CODE), ...readable.map((folder) => path.join(folder, '*'))].map(
      (place) => `--allow-fs-read=${place}`,
    ),
    entry,
  ]
  const [command, ...args] = existsSync(SHELL) ? [SHELL, '-c', JAIL, 'sh', ...node] : node
  return spawn(command!, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
    windowsHide: true,
  })
}

const SHELL = '/bin/sh'

/**
 * A limit that the shell does not support is skipped. setpriv (util-linux) is tried first, because older versions
 * lack the option.
 */
const JAIL = `
ulimit -d ${DATA_MB * 1024} 2>/dev/null
ulimit -t ${CPU_SECONDS} 2>/dev/null
ulimit -c 0 2>/dev/null
setpriv --pdeathsig KILL true 2>/dev/null && exec setpriv --pdeathsig KILL "$@"
exec "$@"`

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The code of this package and every folder that may contain its dependencies, links resolved. Not the whole folder
 * of the package: in a checkout it contains the data directory.
 */
const CODE = [
  fileURLToPath(new URL('..', import.meta.url)),
  ...(createRequire(import.meta.url).resolve.paths('any') ?? []),
]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => [folder, realpathSync(folder)])
  .map((folder) => path.join(folder, path.sep))
  .concat(path.join(PACKAGE, 'package.json'))
