import type { SettingStore } from '../contract/setting-store.ts'
import { createSecretBox } from '../kit/secret-box.ts'

/** The setting with a known text, sealed: it shows whether a secret is the one that sealed the credentials. */
export const SECRET_CHECK = 'secretCheck'

/** The known text. */
export const SECRET_TEXT = 'sluice'

/** Stores the check of a secret, unless there is one. @returns the stored check */
export const keepSecretCheck = (settings: SettingStore, secret: string): Promise<string> =>
  settings.keep(SECRET_CHECK, createSecretBox(secret).seal(SECRET_TEXT))

/** Whether a secret opens a sealed text. */
export function opensSealed(secret: string, sealed: string): boolean {
  try {
    createSecretBox(secret).open(sealed)
    return true
  } catch {
    return false
  }
}
