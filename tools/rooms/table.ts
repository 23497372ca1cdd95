import { rank } from './house.ts'
import type { Room } from './plan.ts'

/** The rooms as lines of text: room, files, lines, the rooms it imports with the number of imports. */
export function table(rooms: Room[]): string {
  const rows = rooms.map(({ name, files, lines, imports }) => [
    name,
    String(files),
    String(lines),
    [...imports]
      .sort(([a], [b]) => rank(a) - rank(b))
      .map(([room, count]) => `${room} ${count}`)
      .join(', ') || '–',
  ])
  const all = [['room', 'files', 'lines', 'imports'], ...rows]
  const width = (column: number) => Math.max(...all.map((row) => row[column]!.length))
  const [names, files, lines] = [width(0), width(1), width(2)]
  return all
    .map(
      ([name, f, l, imports]) =>
        `${name!.padEnd(names)}  ${f!.padStart(files)}  ${l!.padStart(lines)}  ${imports}`,
    )
    .join('\n')
}
