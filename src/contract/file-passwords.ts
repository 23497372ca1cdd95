/**
 * The passwords that a request brings for its files, by the name of the file; {@link ANY_FILE} is for all that are not named. They
 * live as long as the request: a job has them in its encrypted request until it ends, and nothing else stores them.
 */
export type FilePasswords = Readonly<Record<string, string>>

/** The key of the password for all files that have none of their own. */
export const ANY_FILE = '*'

/** The password for a file; undefined if the request has none for it. */
export const passwordFor = (passwords: FilePasswords | undefined, name: string): string | undefined =>
  [name, ANY_FILE].map((key) => own(passwords, key)).find((password) => password !== undefined)

const own = (passwords: FilePasswords | undefined, key: string): string | undefined =>
  passwords && Object.hasOwn(passwords, key) ? passwords[key] : undefined
