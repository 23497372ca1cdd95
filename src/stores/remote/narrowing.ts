import type { Comparison, Filter } from '../../contract/filter.ts'
import type { EngineRequest } from '../../contract/vector-engine.ts'
import { elementFact, existsFact, runFacts, textFact, valueFact } from './metadata-facts.ts'

/** A comparison of a number or a text by its order. */
export type RangeNarrowing = { path: string[]; op: 'gt' | 'gte' | 'lt' | 'lte'; value: number | string }

/** What an engine must check of a filter, as facts (`metadata-facts.ts`) and ranges. */
export type Narrowing =
  | { op: 'and' | 'or'; all: Narrowing[] }
  /** The point has one of these facts. */
  | { op: 'some' | 'none'; facts: string[] }
  | RangeNarrowing

/**
 * What every point meets that meets the filter. It may be wider than the filter, never narrower: the ledger checks the
 * points that an engine finds, and cannot know of those that it does not.
 *
 * @param ranges which values of ranges the engine can compare
 * @returns undefined where nothing is known: all points
 */
export function narrowingOf(
  filter: Filter,
  ranges: readonly ('number' | 'string')[],
  negated = false,
): Narrowing | undefined {
  switch (filter.op) {
    case 'not':
      return narrowingOf(filter.not, ranges, !negated)
    case 'and':
    case 'or': {
      const parts = filter.all.map((part) => narrowingOf(part, ranges, negated))
      const known = parts.filter((part) => part !== undefined)
      if ((filter.op === 'and') !== negated) return known.length > 0 ? { op: 'and', all: known } : undefined
      return known.length === parts.length && known.length > 0 ? { op: 'or', all: known } : undefined
    }
    default:
      return narrowingOfComparison(filter, ranges, negated)
  }
}

/** What an engine must check of a search, without what the runs to leave out have written; undefined where that is nothing. */
export function narrowingOfSearch(
  { filter, withoutRuns = [] }: { [Key in 'filter' | 'withoutRuns']: EngineRequest[Key] | undefined },
  ranges: readonly ('number' | 'string')[],
): Narrowing | undefined {
  const narrowing = filter && narrowingOf(filter, ranges)
  if (withoutRuns.length === 0) return narrowing
  const others: Narrowing = { op: 'none', facts: runFacts(withoutRuns) }
  return narrowing ? { op: 'and', all: [narrowing, others] } : others
}

function narrowingOfComparison(
  comparison: Comparison,
  ranges: readonly ('number' | 'string')[],
  negated: boolean,
): Narrowing | undefined {
  const { path, op } = comparison
  const field = path.join('.')
  const having = (facts: string[], not: boolean): Narrowing => ({
    op: not === negated ? 'some' : 'none',
    facts,
  })
  switch (op) {
    case 'exists':
      return having([existsFact(field)], !comparison.exists)
    case 'eq':
    case 'ne':
      return having([valueFact(field, comparison.value)], op === 'ne')
    case 'in':
    case 'nin': {
      const facts = [...new Set(comparison.values.map((value) => valueFact(field, value)))]
      return facts.length === 0 ? undefined : having(facts, op === 'nin')
    }
    case 'contains': {
      const element = elementFact(field, comparison.value)
      // A text may contain the value, or not: its facts do not show that.
      const texts = !negated && typeof comparison.value === 'string' ? [textFact(field)] : []
      return having([element, ...texts], false)
    }
    default: {
      const { value } = comparison
      const isComparable =
        (typeof value === 'number' && ranges.includes('number')) ||
        (typeof value === 'string' && ranges.includes('string'))
      return isComparable && !negated ? { path, op, value } : undefined
    }
  }
}
