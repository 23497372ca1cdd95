import type {
  EngineDifferences,
  EngineVerification,
  LeftPoints,
  PointList,
} from '../contract/engine-comparison.ts'
import { isSame } from './is-same.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { type Column, table } from './table.ts'

/** Whether an engine has what the ledger has, also because a repair has mended it. */
export const isSound = (row: EngineVerification): boolean =>
  'comparison' in row && isSame(row.comparison.repair?.left ?? row.comparison)

type Counted = Extract<EngineVerification, { comparison: unknown }>

/** A table of the engines with the counts of points, and below it the ids of the first that differ. No texts. */
export function engineReport(rows: readonly EngineVerification[], paint: Paint): string {
  const counted = rows.flatMap((row) => ('comparison' in row ? [row] : []))
  const count = (title: string, list: (row: EngineDifferences) => PointList): Column<Counted> => ({
    title,
    right: true,
    value: ({ comparison }) => list(comparison).count,
    style: ({ comparison }) => (list(comparison).count > 0 ? 'red' : undefined),
  })
  const figures = table<Counted>(
    counted,
    [
      { title: 'flow', value: ({ flows }) => flows.join(', '), style: () => 'bold' },
      { title: 'ledger', value: ({ comparison }) => comparison.expected, right: true },
      { title: 'engine', value: ({ comparison }) => comparison.held, right: true },
      count('missing', ({ missing }) => missing),
      count('too many', ({ surplus }) => surplus),
      count('different', ({ differing }) => differing),
      count('damaged', ({ damaged }) => damaged),
      { title: 'in', value: ({ engine }) => engine, style: () => 'dim' },
    ],
    paint,
  )
  return (counted.length > 0 ? figures : '') + rows.flatMap(details).join('')
}

/** A line for each engine that still has points of removed flows. */
export const leftReport = (rows: readonly LeftPoints[]): string =>
  rows
    .map(
      ({ engine, indexes, lost }) =>
        `${engine} still has points of removed flows or reindexes, in ${indexes} ${indexes === 1 ? 'index' : 'indexes'}: ${lost ?? 'a server deletes them, as soon as it reaches the engine'}\n`,
    )
    .join('')

function details(row: EngineVerification): string[] {
  const name = row.flows.join(', ')
  if ('failure' in row) return [`${name}: ${row.engine} cannot be compared: ${row.failure}\n`]
  const { repair, unchecked, why, ...differences } = row.comparison
  const lines = listed(name, differences)
  if (unchecked > 0)
    lines.push(
      `${name}: the vectors of ${unchecked} points were not compared: an earlier version has written them\n`,
    )
  if (!repair) return lines
  const { written, removed, embedded, left } = repair
  lines.push(`${name}: ${written} points were written, ${removed} removed; texts embedded: ${embedded}\n`)
  if (isSame(left)) return lines
  lines.push(...listed(`${name}, still`, left))
  if (left.missing.count + left.damaged.count > 0 && why !== undefined)
    lines.push(`${name}: the texts of these points were not embedded: ${printable(why)}\n`)
  else if (left.missing.count + left.damaged.count > 0)
    lines.push(
      `${name}: the vectors of these points are nowhere, and no flow has their embedder. Embed the documents again: sluice reindex ${row.flows[0]}\n`,
    )
  return lines
}

const listed = (name: string, { missing, surplus, differing, damaged }: EngineDifferences): string[] =>
  (
    [
      ['missing', missing],
      ['too many', surplus],
      ['different', differing],
      ['damaged vectors', damaged],
    ] as const
  ).flatMap(([what, { count, first }]) =>
    count === 0 ? [] : `${name}: ${what}: ${first.join(' ')}${count > first.length ? ' …' : ''}\n`,
  )
