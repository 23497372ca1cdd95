import {
  type ChangedSetting,
  EXPECTED_STEPS,
  type ExpectedStep,
  type LimitedStep,
  type Measure,
} from '../../contract/expected.ts'

/** A number of a chunk, and the one that it would have needed: at least that, or at most for places and likeness. Null where there is none. */
export type Measured = { what: Measure; had: number | null; needed: number | null }

/** What became of one chunk in an answer. */
export type ChunkOutcome = {
  id: string
  /** Its place in the answer, from 1; null where it is not there. */
  place: number | null
  /** The first step that left it out; null where it is in the answer. */
  step: ExpectedStep | null
  /** Its place after the last step that ordered all: for comparing the chunks of a source. */
  lastPlace: number
  measured: Measured[]
  /** Of `pool`: the step that read only the first so many. */
  reads?: { step: LimitedStep; most: number }
  /** Of `nearDuplicate` and `mmr`: the chunk that it is like, and the place of that one in the answer. */
  like?: { id: string; source: string | null; place: number | null; cosine: number }
  /** Of `filter`: the fields of the conditions that it does not meet. */
  fields?: string[]
}

/** A change of one setting of the request with which the chunk is in the answer, at this place. */
export type SmallestChange = {
  setting: ChangedSetting
  from: number | string | boolean | null
  to: number | string | boolean | null
  place: number
}

/** Whichever of two outcomes went further. */
export function further(one: ChunkOutcome, other: ChunkOutcome): ChunkOutcome {
  const [a, b] = [rankOf(one), rankOf(other)]
  if (a !== b) return a > b ? one : other
  if (one.lastPlace !== other.lastPlace) return other.lastPlace < one.lastPlace ? other : one
  const had = ({ measured }: ChunkOutcome) => measured[0]?.had ?? -Infinity
  return had(other) > had(one) ? other : one
}

/** In the answer, or ranked at all: then the place decides. Before that, the step. */
function rankOf({ place, step, lastPlace }: ChunkOutcome): number {
  if (place !== null || step === null) return EXPECTED_STEPS.length + 1
  return lastPlace < Infinity ? EXPECTED_STEPS.length : EXPECTED_STEPS.indexOf(step)
}
