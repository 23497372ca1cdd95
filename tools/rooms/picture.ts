import type { Room } from './plan.ts'

/** Nearly every room stands on these, so they are drawn as the ground and not as a thicket of arrows. */
const GROUND = ['kit', 'contract']

const BOX = { width: 132, height: 52, right: 76, below: 26 }
const MARGIN = 28
const GROUND_HEIGHT = 44

type Place = { x: number; y: number }

/**
 * The rooms as an SVG picture. A room stands to the right of all that it imports; an arrow points from a room to one
 * that it imports, thicker for more imports, pale if other arrows lead to the same room.
 */
export function picture(rooms: Room[]): string {
  const upper = rooms.filter((room) => !GROUND.includes(room.name))
  const columns = [...Map.groupBy(upper, (room) => floorOf(room.name, upper))]
    .sort(([a], [b]) => a - b)
    .map(([, column]) => column)
  const tallest = Math.max(0, ...columns.map((column) => column.length))
  const height = tallest * (BOX.height + BOX.below)
  const width = Math.max(columns.length * (BOX.width + BOX.right) - BOX.right, 2 * BOX.width)
  const places = new Map<string, Place>()
  for (const [index, column] of columns.entries())
    for (const [row, room] of column.entries())
      places.set(room.name, {
        x: MARGIN + index * (BOX.width + BOX.right),
        y: MARGIN + ((row + 0.5) / column.length) * height - BOX.height / 2,
      })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + 2 * MARGIN} ${height + GROUND_HEIGHT + 2 * MARGIN}" font-family="system-ui, sans-serif" font-size="14" text-anchor="middle">`,
    '<title>The rooms of src/ and what each imports</title>',
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z" fill="#4a6785"/></marker></defs>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...arrowsOf(upper, places),
    ...upper.map((room) => box(room, places.get(room.name)!)),
    ...ground(rooms, { x: MARGIN, y: MARGIN + height }, width),
    '</svg>\n',
  ].join('\n')
}

/** How many rooms the longest way down from a room passes. */
function floorOf(name: string, rooms: Room[]): number {
  const below = rooms.filter((room) => imports(rooms, name).includes(room.name))
  return 1 + Math.max(0, ...below.map((room) => floorOf(room.name, rooms)))
}

const imports = (rooms: Room[], name: string): string[] => [
  ...(rooms.find((room) => room.name === name)?.imports.keys() ?? []),
]

const reaches = (rooms: Room[], from: string, to: string): boolean =>
  imports(rooms, from).some((next) => next === to || reaches(rooms, next, to))

function arrowsOf(rooms: Room[], places: Map<string, Place>): string[] {
  const arrows = rooms.flatMap(({ name, imports: counts }) =>
    [...counts].flatMap(([to, count]) => {
      const [start, end] = [places.get(name), places.get(to)]
      if (!start || !end) return []
      const implied = [...counts.keys()].some((other) => other !== to && reaches(rooms, other, to))
      return [{ start, end, count, implied }]
    }),
  )
  return arrows
    .sort((a, b) => Number(b.implied) - Number(a.implied))
    .map(({ start, end, count, implied }) => {
      const [x1, y1] = [start.x, start.y + BOX.height / 2]
      const [x2, y2] = [end.x + BOX.width, end.y + BOX.height / 2]
      const bend = (x1 - x2) / 2
      const look = implied ? 'stroke="#ccd3da"' : 'stroke="#4a6785"'
      return `<path d="M${x1} ${y1}C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}" fill="none" ${look} stroke-width="${(1 + Math.log2(count) / 2).toFixed(1)}" marker-end="url(#tip)"/>`
    })
}

function box({ name, files, lines }: Room, { x, y }: Place): string {
  const middle = x + BOX.width / 2
  return [
    `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6" fill="#f3f6f9" stroke="#4a6785"/>`,
    `<text x="${middle}" y="${y + 22}" font-weight="600">${name}</text>`,
    `<text x="${middle}" y="${y + 40}" font-size="11" fill="#5b6770">${sizeOf(files, lines)}</text>`,
  ].join('')
}

function ground(rooms: Room[], { x, y }: Place, width: number): string[] {
  const standing = rooms.filter((room) => GROUND.includes(room.name))
  return standing.map(({ name, files, lines }, index) => {
    const users = rooms.filter((room) => room.imports.has(name)).length
    const share = width / standing.length
    const left = x + index * share
    return [
      `<rect x="${left + 3}" y="${y}" width="${share - 6}" height="${GROUND_HEIGHT}" rx="6" fill="#e4ddd0" stroke="#8a7a5c"/>`,
      `<text x="${left + share / 2}" y="${y + 18}" font-weight="600">${name}</text>`,
      `<text x="${left + share / 2}" y="${y + 35}" font-size="11" fill="#5b6770">${sizeOf(files, lines)} · imported by ${users} rooms</text>`,
    ].join('')
  })
}

const sizeOf = (files: number, lines: number) => `${files} ${files === 1 ? 'file' : 'files'} · ${lines} lines`
