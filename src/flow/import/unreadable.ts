import type { NodeCard } from '../../contract/card.ts'
import { isEmptyInput } from '../../cards/field.ts'
import { reasonOf } from '../../kit/errors.ts'

/** Inputs whose values a card cannot read, with the reason and the value that is used instead. */
export function* unreadable(
  card: NodeCard,
  inputs: Record<string, unknown>,
): Iterable<{ input: string; reason: string; fallback: unknown }> {
  for (const [input, field] of Object.entries(card.fields)) {
    if (isEmptyInput(inputs[input])) continue
    try {
      field.read(inputs[input])
    } catch (error) {
      yield { input, reason: reasonOf(error), fallback: field.fallback }
    }
  }
}
