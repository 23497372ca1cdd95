import { UsageError } from './failure.ts'

/**
 * The row that has this id or name.
 *
 * @param kind of the rows, in the plural, for the message
 * @throws UsageError where several have the name, with their ids
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
      `say which by its id: ${found.map(({ id }) => id).join(', ')}`,
    )
  return found[0]
}
