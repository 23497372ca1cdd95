import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
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
  const [command, ...args] = limited(node, { megabytes: DATA_MB, seconds: CPU_SECONDS })
  return spawn(command!, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
    windowsHide: true,
  })
}

/**
 * Starts a program with nothing in its environment but `environment`. The kernel bounds its memory and processor time, lets it write no
 * file, and ends it with its parent.
 */
export function startLimited(
  command: readonly string[],
  limits: ProcessLimits,
  environment: Record<string, string>,
): ChildProcessByStdio<Writable, Readable, null> {
  const [first, ...args] = limited(command, { ...limits, readOnly: true })
  return spawn(first!, args, { stdio: ['pipe', 'pipe', 'ignore'], env: environment, windowsHide: true })
}

/** `megabytes`: of data; `seconds`: of processor time; `readOnly`: it can write no file. */
type ProcessLimits = { megabytes: number; seconds: number; readOnly?: boolean }

/** The command behind a shell that sets the limits. */
const limited = (command: readonly string[], { megabytes, seconds, readOnly }: ProcessLimits): string[] =>
  existsSync(SHELL)
    ? [
        SHELL,
        '-c',
        JAIL,
        'sh',
        String(megabytes * 1024),
        String(seconds),
        readOnly ? '0' : 'unlimited',
        String(process.pid),
        ...command,
      ]
    : [...command]

const SHELL = '/bin/sh'

/**
 * A limit that the shell does not support is skipped. setpriv (util-linux) is tried first, because older versions
 * lack the option. A parent that ended before the kernel was told to follow it is seen by a shell that starts after that.
 */
const JAIL = `
ulimit -d "$1" 2>/dev/null
ulimit -t "$2" 2>/dev/null
ulimit -f "$3" 2>/dev/null
ulimit -c 0 2>/dev/null
parent=$4
shift 4
setpriv --pdeathsig KILL true 2>/dev/null &&
  exec setpriv --pdeathsig KILL ${SHELL} -c '[ "$PPID" = "$0" ] && exec "$@"' "$parent" "$@"
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
