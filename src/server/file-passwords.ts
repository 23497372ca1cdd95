import { ANY_FILE, type FilePasswords } from '../contract/file-passwords.ts'
import { SluiceError } from '../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'

/** The most characters of a password: a PDF takes 127 bytes. */
const LONGEST = 1000

/**
 * Takes the passwords of files out of the overrides of a request, before anything else reads these: `password` is a text for all files,
 * or an object of texts by the names of files, where `*` means all others.
 *
 * @throws SluiceError `override_invalid`, which never shows the value
 */
export function takePasswords(overrides: JsonObject): { overrides: JsonObject; passwords?: FilePasswords } {
  const { password, ...rest } = overrides
  const passwords = readPasswords(password ?? null)
  return passwords ? { overrides: rest, passwords } : { overrides: rest }
}

/** The passwords in the field of a request; undefined where there are none. An empty text is none. @throws SluiceError `override_invalid` */
export function readPasswords(value: Json): FilePasswords | undefined {
  if (value === null) return undefined
  const given = typeof value === 'string' && value.trimStart().startsWith('{') ? parseJson(value) : value
  const byFile = isObject(given) ? given : { [ANY_FILE]: value }
  const found: [string, string][] = []
  for (const [file, password] of Object.entries(byFile)) {
    if (typeof password !== 'string' || password.length > LONGEST)
      throw new SluiceError('override_invalid', {
        key: 'password',
        reason: `expected a text of at most ${LONGEST} characters, or such texts by the names of files`,
      })
    if (password !== '') found.push([file, password])
  }
  return found.length > 0 ? Object.fromEntries(found) : undefined
}
