import { blank } from './blank.ts'
import { importsOf } from './imports.ts'

/** Modules through which a program can call another. */
const MODULES = /^(undici|(node:)?(http|https|http2|net|tls|dgram|dns)(\/.*)?|ws|axios|got|node-fetch)$/

/**
 * The files that may use them: the egress client, the command line that calls its server, a table of status words, and the name
 * that keeps a second server out, which only listens.
 */
const MAY = ['src/kit/egress/', 'src/kit/process-name.ts', 'src/cli/http.ts', 'src/server/door/malformed.ts']

/** The lines on which a file could call another server by itself; `fetch` by its bare name is the linter's to find. */
export function outgoingCalls(file: string, source: string): number[] {
  if (MAY.some((place) => file.startsWith(place)) || file.endsWith('.test.ts')) return []
  const imports = importsOf(source)
    .filter(({ specifier, kind }) => kind !== 'type' && MODULES.test(specifier))
    .map(({ line }) => line)
  const code = blank(source)
  const globals = [...code.matchAll(/\bglobalThis\s*(\?\.|\.)\s*(fetch|WebSocket|EventSource)\b/g)].map(
    ({ index }) => code.slice(0, index).split('\n').length,
  )
  return [...imports, ...globals].sort((a, b) => a - b)
}
