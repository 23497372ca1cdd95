import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { unfitForBrowsers } from './rooms/browser.ts'
import { findings } from './rooms/check.ts'
import { repeatedNames } from './rooms/exported-names.ts'
import { picture } from './rooms/picture.ts'
import { plan } from './rooms/plan.ts'
import { secondNames } from './rooms/second-names.ts'
import { studioAsRoom, studioFindings } from './rooms/studio.ts'
import { survey } from './rooms/survey.ts'
import { table } from './rooms/table.ts'

/*
 * Which room of src/ imports which, read from the code; of studio/, the check alone.
 *
 *   node tools/rooms.ts                  the rooms as a table
 *   node tools/rooms.ts --svg FILE       the picture in docs/architecture.md
 *   node tools/rooms.ts --check          exit code 1 where the house rules are broken, each place named
 *   --root DIR                           another checkout than this one
 */
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    svg: { type: 'string' },
    root: { type: 'string', default: '.' },
  },
})
const found = survey(values.root)
const rooms = () => [...plan(found), ...studioAsRoom(values.root)]
const wrong = [
  ...findings(found),
  ...unfitForBrowsers(values.root),
  ...repeatedNames(values.root),
  ...secondNames(values.root),
  ...studioFindings(values.root),
]

if (!values.check && values.svg === undefined) console.log(table(rooms()))
else if (wrong.length > 0) {
  // There is no picture either: rooms in a circle of imports have no order.
  console.error(wrong.join('\n'))
  process.exitCode = 1
} else if (values.svg !== undefined) writeFileSync(values.svg, picture(rooms()))
