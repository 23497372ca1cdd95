import type { NodeOutputAnswer } from '../../src/api/node.ts'
import { isObject, type JsonObject } from './flow-file.ts'
import { rowsOf } from './rows-of.ts'

/** The ways out of a node by their labels: some have one for each row of an input. */
export const outputLabels = (outputs: readonly NodeOutputAnswer[], inputs: JsonObject): string[] =>
  outputs.flatMap(({ label, each, column }) =>
    each === undefined
      ? [label]
      : rowsOf(inputs[each]).map((row, index) => {
          const name = column !== undefined && isObject(row) ? row[column] : undefined
          return typeof name === 'string' ? name : `${label} ${index + 1}`
        }),
  )
