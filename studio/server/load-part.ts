import { awaitAnswer, onServerEvent } from './call.ts'
import { answersNow } from './connection.ts'

/** How often a file is tried while the server answers: it may have been replaced by a new version. */
const TRIES = 3

/**
 * Loads a part of the program that comes in a file of its own. While the server does not answer it waits: a failure would
 * take the open screen away, with what was typed there.
 *
 * @throws what `load` throws, where the file is not there though the server answers
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 1; ; ) {
    try {
      return await awaitAnswer(load())
    } catch (error) {
      if (!(await answersNow())) await nextAnswer()
      else if (++tries > TRIES) throw error
    }
  }
}

const nextAnswer = (): Promise<void> =>
  new Promise((resolve) => {
    const end = onServerEvent((event) => {
      if (event !== 'answer') return
      end()
      resolve()
    })
  })
