import { recursiveSplitter } from '../../src/text/recursive.ts'
import { sluiceSplitter } from '../../src/text/sluice/sluice.ts'

const SIZES = { chunkSize: 1000, chunkOverlap: 200 }

/** The splitter of the quickstart flow; `BENCH_SPLITTER=recursive` takes the one that it had before. */
export const benchSplitter = () =>
  process.env.BENCH_SPLITTER === 'recursive' ? recursiveSplitter(SIZES) : sluiceSplitter(SIZES)
