import { cycles } from './cycles.ts'
import { isTest, objection, roomOf } from './house.ts'
import type { Arrow, Survey } from './survey.ts'

/** The one file that may read the environment of the process. */
const CONFIG = 'src/kit/config.ts'

/** The violations of the rules, one line each: file, line, import, reason. */
export function findings({ files, arrows, environment, outgoing, ownShapes, behaviour }: Survey): string[] {
  const homeless = files
    .map(({ path }) => ({ path, reason: objection(roomOf(path), roomOf(path)) }))
    .filter(({ reason }) => reason)
    .map(({ path, reason }) => `${path}:1 ${reason}`)
  const forbidden = arrows.flatMap((arrow) => {
    const reason = against(arrow)
    return reason ? [`${arrow.from}:${arrow.line} ${named(arrow)}: ${reason}`] : []
  })
  const circles = cycles(arrows).map(
    (circle) =>
      `${circle[0]!.from}:${circle[0]!.line} ${[...circle.map((arrow) => arrow.from), circle[0]!.from].join(' → ')}: these files import each other in a circle`,
  )
  const reads = environment
    .filter(({ file }) => file !== CONFIG)
    .map(({ file, line }) => `${file}:${line} process.env is read only in ${CONFIG}`)
  const calls = outgoing.map(
    ({ file, line }) => `${file}:${line} other servers are called only through kit/egress`,
  )
  const shapes = ownShapes.map(
    ({ file, line }) => `${file}:${line} shapes of requests and answers are declared in src/api/`,
  )
  const contracts = behaviour.map(
    ({ file, line }) =>
      `${file}:${line} contract/ holds types, and constants that are plain data: what runs belongs to the room that owns it`,
  )
  return [...homeless, ...forbidden, ...circles, ...reads, ...calls, ...shapes, ...contracts]
}

const named = ({ from, to }: Arrow) =>
  to.startsWith('src/') ? `${roomOf(from)} → ${roomOf(to)} (${to})` : `→ ${to}`

function against({ from, to }: Arrow): string | undefined {
  if (!to.startsWith('src/'))
    return isTest(from) && to.startsWith('test/support/')
      ? undefined
      : 'code of src/ imports nothing outside it, its tests only test/support'
  if (isTest(to)) return 'only the test runner loads tests'
  // A room that does not exist is named once, by its file.
  return objection(roomOf(from), roomOf(from)) ? undefined : objection(roomOf(from), roomOf(to))
}
