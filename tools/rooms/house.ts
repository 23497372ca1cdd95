/** The rooms of src/ from the ground up: each imports only rooms that stand before it. */
export const ROOMS = [
  'kit',
  'contract',
  'cards',
  'documents',
  'callers',
  'blobs',
  'formats',
  'text',
  'sources',
  'embed',
  'rerank',
  'chat',
  'vector',
  'keyword',
  'db',
  'stores',
  'tools',
  'openapi',
  'flow',
  'nodes',
  'backend',
  'jobs',
  'upsert',
  'retrieve',
  'agent',
  'evaluate',
  'observe',
  'api',
  'server',
  'events',
  'cli',
  'platform',
  'evaluation.ts',
  'offline.ts',
  'main.ts',
] as const

/** What connects the rooms: the database of a server, the platform, an evaluation, the work of commands without a server, the program. */
const WIRING = ['backend', 'platform', 'evaluation.ts', 'offline.ts', 'main.ts']

const ENGINES = ['jobs', 'upsert', 'retrieve', 'agent', 'evaluate']

/** Whether a file holds tests. */
export const isTest = (file: string): boolean => file.endsWith('.test.ts')

/** The room a file of src/ belongs to: its first folder, or a file beside the folders. */
export const roomOf = (file: string): string => file.split('/')[1] ?? ''

/** Why one room may not import another; `undefined` where it may. */
export function objection(from: string, to: string): string | undefined {
  const [above, below] = [rank(from), rank(to)]
  if (above < 0) return `src/${from} is not a room: add it to tools/rooms/house.ts`
  if (below < 0) return `src/${to} is not a room: add it to tools/rooms/house.ts`
  const order = below > above ? `${to} comes after ${from} in the order of rooms` : undefined
  if (from === to || WIRING.includes(from)) return order
  if (to === 'backend') return 'only the files that connect the rooms import backend'
  if (from === 'events' && to !== 'kit') return 'events imports only kit'
  if (ENGINES.includes(from) && to === 'nodes') return 'engines do not import cards: platform/ connects them'
  if (from === 'nodes' && ENGINES.includes(to)) return 'cards do not import engines: platform/ connects them'
  if (to === 'db' && from !== 'stores')
    return 'only stores import db: other rooms use its contracts, and platform/ connects them'
  if (from === 'cli' && to === 'server') return 'cli does not import server'
  return order
}

export const rank = (room: string): number => (ROOMS as readonly string[]).indexOf(room)
