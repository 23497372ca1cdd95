import { constants, setPriority } from 'node:os'
import { checkOnThread } from './check-on-thread.ts'

/*
 * Checks a database in a process of its own, and sends whether it is sound; undefined where the check failed. The check
 * runs on a thread, so that the end of the parent is noticed while a statement runs. `process.exit` would wait for that
 * statement, a signal does not.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
try {
  // Requests come first. The thread gets the priority of this one.
  setPriority(constants.priority.PRIORITY_LOW)
} catch {
  // A sandbox may forbid it: then the check has the priority of the server.
}
const [, , file = ''] = process.argv
process.send!({ sound: await checkOnThread(file).sound })
