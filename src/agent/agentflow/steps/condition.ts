import vm from 'node:vm'
import type { StepComparison, StepPart } from '../../../contract/step.ts'
import type { Json } from '../../../kit/json.ts'
import type { StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'condition' }>

/** Takes the branch of the first condition that holds, or the last branch if none does. */
export function runCondition({ conditions }: Step): StepResult {
  const found = conditions.findIndex(comparisonHolds)
  const branch = found < 0 ? conditions.length : found
  return {
    input: { conditions },
    branch,
    output: {
      conditions: conditions.map((condition, index) => ({ ...condition, isFulfilled: index === branch })),
    },
  }
}

/** Compares two values as the given type. An unknown operation never holds. */
export function comparisonHolds({ type, value1, operation, value2 }: StepComparison): boolean {
  if (type === 'number') return numbers(operation, Number(value1), Number(value2), textOf(value1))
  if (type === 'boolean') {
    const equal = isTrue(value1) === isTrue(value2)
    return operation === 'equal' ? equal : operation === 'notEqual' && !equal
  }
  return texts(operation, textOf(value1), textOf(value2))
}

function texts(operation: string, a: string, b: string): boolean {
  switch (operation) {
    case 'contains':
      return a.includes(b)
    case 'notContains':
      return !a.includes(b)
    case 'startsWith':
      return a.startsWith(b)
    case 'endsWith':
      return a.endsWith(b)
    case 'equal':
      return a === b
    case 'notEqual':
      return a !== b
    case 'isEmpty':
      return a === ''
    case 'notEmpty':
      return a !== ''
    case 'regex':
      return matches(a, b)
    default:
      return false
  }
}

function numbers(operation: string, a: number, b: number, text: string): boolean {
  switch (operation) {
    case 'smaller':
      return a < b
    case 'smallerEqual':
      return a <= b
    case 'equal':
      return a === b
    case 'notEqual':
      return a !== b
    case 'larger':
      return a > b
    case 'largerEqual':
      return a >= b
    case 'isEmpty':
      return text === ''
    case 'notEmpty':
      return text !== ''
    default:
      return false
  }
}

/** How long a regular expression may take, in milliseconds. */
const MATCH_MS = 100
/** The highest limit, in milliseconds, if other processes use the processors. */
const LONGEST_MATCH_MS = 1600

/**
 * Matches with a time limit, because a regular expression may take exponential time. One that takes longer does not
 * match. The limit of `vm` is in elapsed time, not in processor time: if this thread had a processor for less than half
 * of it, the expression is tried again with twice the limit.
 */
function matches(text: string, pattern: string): boolean {
  for (let limitMs = MATCH_MS; ; limitMs *= 2) {
    const before = process.threadCpuUsage()
    try {
      return vm.runInNewContext(
        'new RegExp(pattern).test(text)',
        { pattern, text },
        { timeout: limitMs },
      ) as boolean
    } catch (error) {
      const { user, system } = process.threadCpuUsage(before)
      const isTimeout = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      if (!isTimeout || (user + system) / 1000 >= limitMs / 2 || limitMs >= LONGEST_MATCH_MS) return false
    }
  }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const isTrue = (value: Json) => /^true$/i.test(textOf(value))
