import type { UpsertAnswer } from '../api/upsert.ts'
import { ANY_FILE } from '../contract/file-passwords.ts'
import type { Json } from '../kit/json.ts'
import { askLine, canAsk } from './ask-person.ts'
import { FailedJob } from './failure.ts'
import type { Client } from './http.ts'
import { printable } from './printable.ts'
import { sendFiles, type UploadRequest } from './send-files.ts'
import type { World } from './world.ts'

/** How often a person may try the password of one file. */
const TRIES = 3

/** The code of a file that is protected by a password, and the only type that a password opens. */
const isLocked = (code: string | undefined, file: string): boolean =>
  code === 'file_encrypted' && /\.pdf$/i.test(file)

/** The files of an answer that a password would open. */
export const lockedFiles = ({ files = [] }: UpsertAnswer): string[] =>
  files.filter(({ code, name }) => isLocked(code, name)).map(({ name }) => name)

/**
 * Sends files to a flow. On a terminal it asks for the passwords of PDFs that are protected, and sends all files once more with them:
 * the cleanup of the flow compares all files of a request, and those that are unchanged are not embedded again.
 *
 * @param request `password`: for all files
 * @throws Failure
 */
export async function sendOpened(
  client: Client,
  { password, ...request }: UploadRequest & { password: string | undefined },
  world: World,
): Promise<UpsertAnswer & Json> {
  const passwords = new Map(password === undefined ? [] : [[ANY_FILE, password]])
  const tries = new Map<string, number>()
  // Standard input can be read only once.
  const mayAsk = canAsk(world) && request.files.every(({ size }) => size !== undefined)

  /** Asks for a file. @returns whether there is a password to try */
  async function ask(file: string): Promise<boolean> {
    const tried = tries.get(file) ?? 0
    if (!mayAsk || tried === TRIES) return false
    const isWrong = tried > 0 || passwords.has(ANY_FILE)
    const what = isWrong ? 'The password is wrong. Another one' : 'Password'
    const answer = await askLine(world, `${what} for ${printable(file)} (empty to leave it out): `, {
      secret: true,
    })
    tries.set(file, answer === '' ? TRIES : tried + 1)
    if (answer !== '') passwords.set(file, answer)
    return answer !== ''
  }

  while (true) {
    const field: [string, string][] =
      passwords.size > 0 ? [['password', JSON.stringify(Object.fromEntries(passwords))]] : []
    const sent = { ...request, fields: [...request.fields, ...field] }
    try {
      const answer = await sendFiles(client, sent, world)
      let hasMore = false
      for (const file of lockedFiles(answer)) hasMore = (await ask(file)) || hasMore
      if (!hasMore) return answer
    } catch (error) {
      // All files failed, or the request was strict: the failure names the first file.
      const file =
        error instanceof FailedJob && isLocked(error.code, error.file ?? '') ? error.file! : undefined
      if (file === undefined || !(await ask(file))) throw error
    }
  }
}
