import { paintFor } from './paint.ts'
import { type Column, table } from './table.ts'
import type { World } from './world.ts'

/**
 * Prints rows to standard output: as a table, or as JSON.
 *
 * @param none what goes to standard error instead of a table without rows
 */
export function printRows<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  { world, json, none }: { world: World; json: boolean; none: string },
): void {
  if (json) world.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) world.stderr.write(`${none}\n`)
  else world.stdout.write(table(rows, columns, paintFor(world.stdout, world.environment)))
}
