import { ANY_FILE, type FilePasswords } from '../contract/file-passwords.ts'

/** The password for a file; undefined if the request has none for it. */
export const passwordFor = (passwords: FilePasswords | undefined, name: string): string | undefined =>
  [name, ANY_FILE].map((key) => own(passwords, key)).find((password) => password !== undefined)

const own = (passwords: FilePasswords | undefined, key: string): string | undefined =>
  passwords && Object.hasOwn(passwords, key) ? passwords[key] : undefined
