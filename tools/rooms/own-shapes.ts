import { blank } from './blank.ts'
import { importsOf } from './imports.ts'
import { isTest } from './house.ts'

/** The rooms with the shapes of requests and answers in `src/api/`. */
const CLIENTS_AND_SERVER = ['src/server/', 'src/cli/', 'src/events/']

/** Files that use zod without declaring a shape, each with what for. */
const USES: Readonly<Record<string, string>> = {
  'src/server/docs/describe-schema.ts': 'turns shapes into JSON schemas for /openapi.json',
}

/** Methods that make another shape of one. */
const DERIVES = /\.\s*(?:extend|safeExtend|partial|omit|catchall|nullable|nullish)\s*\(/g

/**
 * The lines on which a file of the server or of a client declares a shape of its own: it imports zod (not only its
 * types), or makes another shape of one of `src/api/`.
 */
export function ownShapes(file: string, source: string): number[] {
  if (isTest(file) || file in USES || !CLIENTS_AND_SERVER.some((room) => file.startsWith(room))) return []
  const code = blank(source)
  const imported = importsOf(source)
    .filter(({ specifier, kind }) => kind !== 'type' && /^zod(\/|$)/.test(specifier))
    .map(({ line }) => line)
  const derived = [...code.matchAll(DERIVES)].map(({ index }) => code.slice(0, index).split('\n').length)
  return [...imported, ...derived].sort((a, b) => a - b)
}
