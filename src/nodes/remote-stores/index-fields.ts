import { choiceField, numberField } from '../../cards/field.ts'
import type { ValuesOf } from '../../contract/field.ts'
import type { IndexOptions } from '../../stores/remote/index-options.ts'

const own = { additional: true, guard: 'table' } as const

/** What an index of a search server is made with. Nothing of it changes one that is there. */
export const indexFields = {
  shards: numberField(
    'Shards',
    undefined,
    { whole: true, min: 1, max: 1024 },
    {
      ...own,
      description:
        'In how many parts a new index is cut, over which machines share its load. One holds some 10 million chunks. Fixed once an index is made. Default: that of the server, mostly 1',
    },
  ),
  copies: numberField(
    'Copies',
    undefined,
    { whole: true, min: 0, max: 20 },
    {
      ...own,
      description:
        'How many further copies of each part of a new index other machines hold: more answers at once, and nothing lost with a machine. Default: that of the server, mostly 1',
    },
  ),
  vectors: choiceField('Vectors', ['full', 'int8'], 'full', {
    ...own,
    description:
      'How a new index compares vectors. int8: by whole numbers of a quarter of the memory, and the first 100 hits again by the exact vectors, which stay on the disk. On 10,000 real texts both find 99 % of the ten nearest; int8 takes several times as long. Fixed once an index is made',
  }),
  efConstruction: numberField(
    'Graph Effort (efConstruction)',
    undefined,
    { whole: true, min: 8, max: 3200 },
    {
      ...own,
      description:
        'How many neighbours a new index considers for each vector while it builds its graph: more finds more of the nearest chunks, and loads slower. Default: 100',
    },
  ),
}

/** The options from the values of these inputs. */
export function indexOptions({
  shards,
  copies,
  vectors,
  efConstruction,
}: ValuesOf<typeof indexFields>): IndexOptions {
  return {
    vectors,
    ...(shards === undefined ? {} : { shards }),
    ...(copies === undefined ? {} : { copies }),
    ...(efConstruction === undefined ? {} : { efConstruction }),
  }
}
