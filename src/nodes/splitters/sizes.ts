import { number } from '../../contract/field.ts'

/** The two inputs that every splitter has, in its own unit. */
export const SIZE_FIELDS = {
  chunkSize: number('Chunk Size', 1000, { whole: true, min: 1 }, { description: 'The most a chunk holds' }),
  chunkOverlap: number(
    'Chunk Overlap',
    200,
    { whole: true, min: 0 },
    { description: 'How much neighbouring chunks share' },
  ),
}
