import { isTest, rank, roomOf } from './house.ts'
import type { Survey } from './survey.ts'

/** A room with what it holds and, per room it imports, how many imports. Tests are left out. */
export type Room = { name: string; files: number; lines: number; imports: Map<string, number> }

/** The rooms that hold code, from the ground up. */
export function plan({ files, arrows }: Survey): Room[] {
  const rooms = new Map<string, Room>()
  for (const file of files) {
    if (isTest(file.path)) continue
    const name = roomOf(file.path)
    const room = rooms.get(name) ?? { name, files: 0, lines: 0, imports: new Map() }
    room.files++
    room.lines += file.lines
    rooms.set(name, room)
  }
  for (const { from, to } of arrows) {
    const imports = rooms.get(roomOf(from))?.imports
    if (!imports || isTest(from) || roomOf(from) === roomOf(to)) continue
    imports.set(roomOf(to), (imports.get(roomOf(to)) ?? 0) + 1)
  }
  return [...rooms.values()].sort((a, b) => rank(a.name) - rank(b.name))
}
