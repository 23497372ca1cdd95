import { UsageError } from './failure.ts'

/**
 * Finds the row with this id or name.
 *
 * @param kind what the rows are, in the plural, for the message
 * @throws UsageError with the ids, where several rows have the name
 */
export function findNamed<R extends { id: string }>(
  rows: readonly R[],
  given: string,
  { kind, nameOf }: { kind: string; nameOf: (row: R) => string },
): R | undefined {
  const found = rows.filter((row) => row.id === given || nameOf(row) === given)
  if (found.length > 1)
    throw new UsageError(
      `${found.length} ${kind} have the name ${given}`,
      `give the id of one: ${found.map(({ id }) => id).join(', ')}`,
    )
  return found[0]
}
