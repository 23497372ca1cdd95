import { createSecretBox } from '../kit/secret-box.ts'

/** Seals a text with a new secret that was sealed with an old one; undefined where the old one does not open it. */
export type Reseal = (sealed: string) => string | undefined

/** What a rotation of the secret has changed. `unreadable`: names of credentials that the old secret does not open. */
export type Resealed = { credentials: number; jobs: number; unreadable: string[] }

export function resealer(before: string, after: string): Reseal {
  const [old, fresh] = [createSecretBox(before), createSecretBox(after)]
  return (sealed) => {
    let text: string
    try {
      text = old.open(sealed)
    } catch {
      return undefined
    }
    return fresh.seal(text)
  }
}
