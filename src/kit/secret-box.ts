import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { SluiceError } from './errors.ts'

/** Encrypts texts: without the key they cannot be read or changed. */
export type SecretBox = {
  /** Encrypts a text. Equal texts give different results. */
  seal(text: string): string
  /** Decrypts. @throws SluiceError `secret_unreadable` if it was encrypted with another key, or was changed */
  open(sealed: string): string
}

const CIPHER = 'aes-256-gcm'
/** Lengths in bytes, as NIST SP 800-38D recommends them. */
const NONCE = 12
const TAG = 16

/** Encrypts with AES-256-GCM. `key` is any text, also one as short as a password. */
export function createSecretBox(key: string): SecretBox {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'sluice secret box', 32))
  return {
    seal(text) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(CIPHER, secret, nonce, { authTagLength: TAG })
      const body = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...body]).toString('base64')
    },
    open(sealed) {
      try {
        const bytes = Buffer.from(sealed, 'base64')
        const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, NONCE), { authTagLength: TAG })
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
        return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw new SluiceError('secret_unreadable', {}, { cause: error })
      }
    },
  }
}
